import type * as contract from '@order-testing/contract'
import { notFound } from '../../domain/refusal.ts'
import type { CompanyRow } from '../../store/catalog/companies.ts'
import { collectionOf, ok, type Operation } from '../operation.ts'
import { addressOf, companyReference } from '../../domain/catalog/references.ts'

export const listCompanies: Operation<typeof contract.listCompanies> = async ({ query }, { caller, store }) =>
  ok(collectionOf(await store.companies.pageVisible(caller, query), query, presentCompany))

export const readCompany: Operation<typeof contract.readCompany> = async ({ params }, { caller, store }) => {
  const company = await store.companies.findVisible(caller, params.id)
  if (!company) throw notFound()
  return ok(presentCompany(company))
}

const presentCompany = (company: CompanyRow): contract.Company => ({
  ...companyReference(company),
  address: addressOf(company.address),
  createdAt: company.createdAt.toISOString(),
  phone: company.phone,
})
