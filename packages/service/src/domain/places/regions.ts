/** States, territories, military regions and provinces: postal abbreviation and names. */
const REGIONS = {
  US: `
    AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware,
    DC District of Columbia/Washington DC, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana,
    IA Iowa, KS Kansas, KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota,
    MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New Mexico,
    NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania,
    RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia,
    WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming, AS American Samoa,
    FM Federated States of Micronesia/Micronesia, GU Guam, MH Marshall Islands,
    MP Northern Mariana Islands/Commonwealth of the Northern Mariana Islands, PR Puerto Rico, PW Palau,
    VI Virgin Islands/US Virgin Islands/United States Virgin Islands, AA Armed Forces Americas,
    AE Armed Forces Europe/Armed Forces Africa/Armed Forces Canada/Armed Forces Middle East, AP Armed Forces Pacific`,
  CA: `
    AB Alberta, BC British Columbia/Colombie-Britannique, MB Manitoba, NB New Brunswick/Nouveau-Brunswick,
    NL Newfoundland and Labrador/Newfoundland/Labrador/Terre-Neuve-et-Labrador, NS Nova Scotia/Nouvelle-Écosse,
    NT Northwest Territories/Territoires du Nord-Ouest, NU Nunavut, ON Ontario,
    PE Prince Edward Island/Île-du-Prince-Édouard, QC Quebec/Québec, SK Saskatchewan, YT Yukon/Yukon Territory`,
}

/** Ignores case, accents and punctuation. */
const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}.]/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .join(' ')
    .trim()

const codesOf = (regions: string) =>
  new Map(
    regions.split(',').flatMap((region) => {
      const [, code = '', names = ''] = /(\w\w) (.*)/s.exec(region) ?? []
      return [code, ...names.split('/')].map((name) => [plain(name), code])
    }),
  )

const CODES = { US: codesOf(REGIONS.US), CA: codesOf(REGIONS.CA) }

/** The postal abbreviation of a US or Canadian region, given by its abbreviation or full name. */
export const regionCode = (country: 'US' | 'CA', text: string): string | undefined => CODES[country].get(plain(text))

/** The regions of a country with their postal abbreviation, in the order of their names. */
export const regionsOf = (country: 'US' | 'CA'): [code: string, name: string][] => NAMED[country]

const namesOf = (regions: string) =>
  regions
    .split(',')
    .map((region): [string, string] => {
      const [, code = '', names = ''] = /(\w\w) (.*)/s.exec(region) ?? []
      return [code, names.split('/')[0]!.trim()]
    })
    .toSorted(([, a], [, b]) => a.localeCompare(b, 'en'))

const NAMED = { US: namesOf(REGIONS.US), CA: namesOf(REGIONS.CA) }
