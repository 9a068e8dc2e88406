/**
 * The time zones of states, territories and provinces, the most common first. Near a border, the table of points may answer
 * with the zone of the neighbor; this one tells. `America/` is left out.
 */
const ZONES: Record<string, string> = {
  AL: 'Chicago New_York',
  AK: 'Anchorage Nome Juneau Sitka Yakutat Metlakatla Adak',
  AZ: 'Phoenix Denver',
  AR: 'Chicago',
  CA: 'Los_Angeles',
  CO: 'Denver',
  CT: 'New_York',
  DE: 'New_York',
  DC: 'New_York',
  FL: 'New_York Chicago',
  GA: 'New_York',
  HI: 'Pacific/Honolulu',
  ID: 'Boise Los_Angeles',
  IL: 'Chicago',
  IN: 'Indiana/Indianapolis Chicago Indiana/Knox Indiana/Winamac Indiana/Vevay Indiana/Marengo Indiana/Vincennes Indiana/Tell_City Indiana/Petersburg Kentucky/Louisville New_York',
  IA: 'Chicago',
  KS: 'Chicago Denver',
  KY: 'New_York Kentucky/Louisville Kentucky/Monticello Chicago',
  LA: 'Chicago',
  ME: 'New_York',
  MD: 'New_York',
  MA: 'New_York',
  MI: 'Detroit Menominee Chicago',
  MN: 'Chicago',
  MS: 'Chicago',
  MO: 'Chicago',
  MT: 'Denver',
  NE: 'Chicago Denver',
  NV: 'Los_Angeles',
  NH: 'New_York',
  NJ: 'New_York',
  NM: 'Denver',
  NY: 'New_York',
  NC: 'New_York',
  ND: 'Chicago North_Dakota/New_Salem North_Dakota/Beulah North_Dakota/Center Denver',
  OH: 'New_York',
  OK: 'Chicago',
  OR: 'Los_Angeles Boise',
  PA: 'New_York',
  RI: 'New_York',
  SC: 'New_York',
  SD: 'Chicago Denver',
  TN: 'Chicago New_York',
  TX: 'Chicago Denver',
  UT: 'Denver',
  VT: 'New_York',
  VA: 'New_York',
  WA: 'Los_Angeles',
  WV: 'New_York',
  WI: 'Chicago',
  WY: 'Denver',
  AS: 'Pacific/Pago_Pago',
  FM: 'Pacific/Pohnpei Pacific/Chuuk Pacific/Kosrae',
  GU: 'Pacific/Guam',
  MH: 'Pacific/Majuro Pacific/Kwajalein',
  MP: 'Pacific/Saipan',
  PR: 'Puerto_Rico',
  PW: 'Pacific/Palau',
  VI: 'St_Thomas',
  AB: 'Edmonton',
  BC: 'Vancouver Edmonton Creston Dawson_Creek Fort_Nelson',
  MB: 'Winnipeg',
  NB: 'Moncton',
  NL: 'St_Johns Goose_Bay',
  NS: 'Halifax Glace_Bay',
  NT: 'Edmonton Inuvik',
  NU: 'Iqaluit Rankin_Inlet Resolute Cambridge_Bay',
  ON: 'Toronto Winnipeg Atikokan',
  PE: 'Halifax',
  QC: 'Toronto Halifax Puerto_Rico',
  SK: 'Regina Swift_Current Edmonton Winnipeg',
  YT: 'Whitehorse Dawson',
}

/** The zones of a region by its postal abbreviation, the most common first; none if it is unknown. */
export const zonesOfRegion = (code: string): string[] =>
  (ZONES[code]?.split(' ') ?? []).map((name) => (name.startsWith('Pacific/') ? name : `America/${name}`))

/** ZIP codes in states with several zones for which the table of points is wrong. */
const CORRECTED: Record<string, string> = {
  'America/Chicago': `
    32424 32430 32449 32465 36852 36856 36859 37340 37396 37723 38504 40115 40171 42642 42712 42728 42753 47514 47515 47525
    47551 47576 47586 47647 47654 47660 47683 47948 57648 58520 58631 58795 58801 58802 58803 58830 58831 58835 58843 58845
    58849 58853 58854 58856 67731 67732 67745 67756 67855 67860 67861 67880 69043`,
  'America/New_York': '36863 37337 37373 37381 37405 42716 42784',
  'America/Indiana/Indianapolis': '46574 47928 47974',
  'America/Detroit': '49807 49879',
  'America/Menominee': '49902 49903 49915 49920 49927 49935 49947 49964',
  'America/Denver': '58569 58625 69152 69161 69216 69219 86016 86031 86047 86505 86512',
  'America/Boise': '83302 83469 83611 83638 83654 83671 83677 97903 97908 97909 97920',
  'America/Los_Angeles': `
    83554 83802 83805 83808 83811 83826 83836 83837 83839 83845 83846 83849 83850 83853 83867 83868 83873 83874 97840 97870`,
  'America/Phoenix': '85922 86021 86022 86030 86036 86039 86042 86043',
}

const CORRECTED_CODES = new Map(
  Object.entries(CORRECTED).flatMap(([zone, codes]) =>
    codes
      .trim()
      .split(/\s+/)
      .map((code) => [code, zone] as const),
  ),
)

/** The zone of a ZIP code that its point does not tell; undefined for all others. */
export const correctedZone = (postalCode: string): string | undefined =>
  CORRECTED_CODES.get(postalCode.trim().slice(0, 5))
