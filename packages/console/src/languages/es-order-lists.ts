import type * as english from './en-order-lists.ts'

const orders = (count: number) => `${count.toLocaleString('es-US')} ${count === 1 ? 'orden' : 'órdenes'}`

export const views: typeof english.views = {
  menu: (name) => `Cambiar la vista ${name}`,
  rename: 'Cambiar el nombre',
  share: 'Compartir con colegas',
  unshare: 'Dejar de compartir',
  left: 'Mover a la izquierda',
  right: 'Mover a la derecha',
  delete: 'Eliminar la vista',
  deleted: (name) => `Se eliminó la vista ${name}`,
  shared: 'Compartida con colegas',
  sharedBy: (name) => `Compartida por ${name}`,
}

export const bulk: typeof english.bulk = {
  all: (total) => `Seleccionar las ${total}`,
  tooMany: (most) => `Limite el filtro para seleccionar todas: como máximo ${most}`,
  reading: 'Leyendo las órdenes de este filtro',
  running: 'Trabajando',
  progress: (text, done, of) => `${text}: ${done} de ${of}`,
  stop: 'Detener',
  left: (count, why) =>
    `${orders(count)} de la selección ${count === 1 ? 'queda' : 'quedan'} fuera por su estado: ${why}.`,
  refused: (count) => `${count} rechazadas.`,
  untouched: (count) => `${count} sin intentar.`,
  wasDone: 'hecho',
  notTried: 'sin intentar',
  outcome: 'Resultado',
  save: 'Guardar esta lista como CSV',
  cancel: {
    title: (count) => `Cancelar ${orders(count)}`,
    effect:
      'Cada orden se cancela definitivamente. Se avisa a los participantes, se liberan las reservas y los receptores reciben un evento por cada orden.',
    done: (count) => `Se cancelaron ${orders(count)}`,
  },
  extend: {
    open: 'Ampliar el plazo',
    title: (count) => `Ampliar el plazo de ${orders(count)}`,
    effect:
      'Cada orden vence dentro de ese número de días. Los recordatorios se planifican de nuevo y los receptores reciben un evento por cada orden.',
    done: (count) => `Se amplió el plazo de ${orders(count)}`,
  },
  sendLink: {
    title: (count) => `Reenviar el enlace de ${orders(count)}`,
    effect: 'Cada participante recibe un mensaje con un enlace nuevo. Los enlaces anteriores siguen funcionando.',
    done: (count) => `Se reenvió el enlace de ${orders(count)}`,
  },
}

export const exporting: typeof english.exporting = {
  title: 'Exportar órdenes',
  reading: 'Leyendo órdenes',
  stopped: 'La exportación se detuvo',
}
