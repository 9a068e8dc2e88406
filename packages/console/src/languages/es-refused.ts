import type { refused as english } from './en-refused.ts'

export const refused: typeof english = {
  one: 'Mensaje rechazado',
  nobody: 'Remitente desconocido',
  why: 'Por qué se rechazó:',
  controlId: 'Id de control',
  door: 'Llegó por',
  doors: { http: 'HTTP', mllp: 'MLLP' },
  answer: 'Respuesta',
  token: 'Token',
  address: 'Dirección',
  size: 'Tamaño',
  bytes: (count) => (count === 1 ? '1 byte' : `${count.toLocaleString('es-US')} bytes`),
  times: 'Veces enviado',
  first: 'Recibido por primera vez',
  count: (count) => `${count} veces`,
  empty: 'No se rechazó nada',
  emptyDetail: 'Los mensajes HL7 que no son informes de resultados, o que no se pueden leer, aparecen aquí 30 días.',
}
