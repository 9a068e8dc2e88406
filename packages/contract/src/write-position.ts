import { z } from 'zod'

/** Responses to writes have it if lists may come from a read replica, and list requests may send it back. */
export const WRITE_POSITION = 'X-Write-Position'

/** The header of lists that a read replica may answer. */
export const AfterWrite = z.object({
  [WRITE_POSITION]: z
    .string()
    .regex(/^[0-9a-f]{16}$/, 'Expected the X-Write-Position of a response, unchanged.')
    .optional()
    .describe('The `X-Write-Position` of a response to a write: the list has that write and everything before it.'),
})

/** Whether a read replica may answer an endpoint. */
export const mayBeReplicated = ({ headers }: { headers?: z.ZodObject }) =>
  headers !== undefined && WRITE_POSITION in headers.shape
