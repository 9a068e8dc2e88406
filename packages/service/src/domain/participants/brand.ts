import type { Branding } from '@order-testing/contract'

/** A company or a tenant with its branding. */
interface Presented {
  name: string
  branding: Branding | null
}

/** The company's branding. Each member that it lacks is the tenant's. */
export function mergeBrands({ company, tenant }: { company: Presented; tenant: Presented }) {
  const own = company.branding ?? {}
  const general = tenant.branding ?? {}
  return {
    tenant: tenant.name,
    company: company.name,
    logo: own.logo ?? general.logo ?? null,
    accent: own.accent ?? general.accent ?? null,
    privacyUrl: own.privacyUrl ?? general.privacyUrl ?? null,
    answerTime: own.helpAnswerTime ?? general.helpAnswerTime ?? null,
    contacts: [
      contactOf(company.name, own),
      contactOf(tenant.name, {
        ...(own.helpPhone === undefined && { helpPhone: general.helpPhone }),
        ...(own.helpEmail === undefined && { helpEmail: general.helpEmail }),
      }),
    ].filter(({ phone, email }) => phone !== null || email !== null),
  }
}

/** The brand of a company from what the catalog has of it and of its tenant. */
export const brandFrom = (
  { name }: { name: string },
  row: { tenant: string; tenantBranding: Branding | null; companyBranding: Branding | null } | undefined,
) =>
  mergeBrands({
    company: { name, branding: row?.companyBranding ?? null },
    tenant: { name: row?.tenant ?? '', branding: row?.tenantBranding ?? null },
  })

const contactOf = (name: string, { helpPhone, helpEmail }: Pick<Branding, 'helpPhone' | 'helpEmail'>) => ({
  name,
  phone: helpPhone ?? null,
  email: helpEmail ?? null,
})
