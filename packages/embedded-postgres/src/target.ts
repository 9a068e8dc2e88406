/** Connection parameters; `host` is the folder of a Unix socket. */
export interface EmbeddedTarget {
  host: string
  port: number
  database: string
  username: string
}
