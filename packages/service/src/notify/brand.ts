import type { Brand } from '@order-testing/pages'
import type { Order } from '../domain/orders/order.ts'
import { mergeBrands } from '../domain/participants/brand.ts'
import type { Store } from '../store/store.ts'

/** Who asks, and whom to ask, as the catalog presents them now. */
export async function findBrand(
  tenantId: string,
  { company }: Pick<Order, 'company'>,
  { brands }: Pick<Store, 'brands'>,
): Promise<Brand> {
  const row = await brands.find(tenantId, company.id, [])
  return mergeBrands({
    company: { name: company.name, branding: row?.companyBranding ?? null },
    tenant: { name: row?.tenant ?? '', branding: row?.tenantBranding ?? null },
  })
}
