import type { OperatorOrder } from '@order-testing/contract/operator'
import { ApiRefusal, type Api } from '../api.ts'
import { escapeControls } from '../output/table.ts'

/** Finds the id of a service given by its position, its id or its id in the catalog. */
export async function findServiceId(api: Api, id: string, name: string): Promise<string> {
  if (name.startsWith('osv_')) return name
  const { services, order } = await api.ask('operatorReadOrder', { params: { id } })
  const found = /^\d{1,3}$/.test(name)
    ? services.slice(Number(name) - 1, Number(name))
    : services.filter(({ serviceId }) => serviceId === name)
  const [service] = found
  if (service && found.length === 1) return service.id
  throw new ApiRefusal(
    `Order ${order.code} has no service "${escapeControls(name)}". Its services:\n${serviceList(services)}`,
  )
}

const serviceList = (services: OperatorOrder['services']) =>
  services
    .map(({ id, serviceId, status }, i) => `  ${i + 1}  ${id}  ${escapeControls(serviceId)}  ${status}`)
    .join('\n')
