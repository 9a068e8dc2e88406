import type * as contract from '@order-testing/contract'
import { AGENCIES, type Agency } from '@order-testing/contract/agencies'
import { agencyReference, jobCategoryReference } from '../../domain/catalog/references.ts'
import { orNotFound } from '../../domain/refusal.ts'
import { fold } from '../../domain/text.ts'
import { collectionOf, ok, type Operation } from '../operation.ts'

export const listAgencies: Operation<typeof contract.listAgencies> = async ({ query }) => {
  const { name, code, limit, page } = query
  const found = AGENCIES.filter(
    (agency) =>
      (name === undefined || fold(agency.name).includes(fold(name))) &&
      (code === undefined || fold(agency.code) === fold(code)),
  )
  const rows = found.slice((page - 1) * limit, page * limit)
  return ok(collectionOf({ rows, total: found.length }, query, presentAgency))
}

export const readAgency: Operation<typeof contract.readAgency> = async ({ params }) =>
  ok(presentAgency(find(params.id)))

export const readJobCategory: Operation<typeof contract.readJobCategory> = async ({ params }) => {
  const agency = find(params.agencyId)
  const category = orNotFound(agency.jobCategories.find(({ id }) => id === params.id))
  return ok({ ...jobCategoryReference(agency, category), agency: agencyReference(agency) })
}

const find = (id: string) => orNotFound(AGENCIES.find((agency) => agency.id === id))

const presentAgency = (agency: Agency): contract.Agency => ({
  ...agencyReference(agency),
  name: agency.name,
  regulation: agency.regulation,
  jobCategories: agency.jobCategories.map((category) => jobCategoryReference(agency, category)),
})
