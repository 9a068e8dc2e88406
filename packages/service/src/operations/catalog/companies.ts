import type * as contract from '@order-testing/contract'
import type { CompanyRow } from '../../store/catalog/companies.ts'
import type { Operation } from '../operation.ts'
import { addressOf, companyReference } from '../../domain/catalog/references.ts'
import { listVisible, readVisible } from './visible.ts'

export const listCompanies: Operation<typeof contract.listCompanies> = listVisible('companies', presentCompany)
export const readCompany: Operation<typeof contract.readCompany> = readVisible('companies', presentCompany)

function presentCompany(company: CompanyRow): contract.Company {
  return {
    ...companyReference(company),
    address: addressOf(company.address),
    createdAt: company.createdAt.toISOString(),
    phone: company.phone,
  }
}
