import type { CatalogSettings, CreateOrder } from '@order-testing/contract'
import type { Profile } from '../matching/score.ts'

type Unit = CreateOrder['settings']['expiresInUnit']

export interface MatchingOptions {
  enabled: boolean
  profile: Profile
  lookBackMs: number
  /** Of the request, else `settingScore`. */
  minScore: number
  /** Of the location or company, else the default of the profile. */
  settingScore: number
}

const MS: Record<Unit, number> = { days: 86_400_000, hours: 3_600_000 }

/** The defaults of each profile. */
const MATCHING: Record<Profile, { lookBackMs: number; minScore: number }> = {
  standard: { lookBackMs: 30 * MS.days, minScore: 85 },
  appCollection: { lookBackMs: 7 * MS.days, minScore: 90 },
}

/** Each setting of the location overrides that of its company. */
export function mergeSettings(company: CatalogSettings, location: CatalogSettings): CatalogSettings {
  // A unit belongs to its number: a location's 3 days must not become 3 of the company's hours.
  const expiry = location.expiresIn === undefined ? company : location
  return {
    ...company,
    ...location,
    expiresIn: expiry.expiresIn,
    expiresInUnit: expiry.expiresInUnit,
    orderMatching: location.orderMatching
      ? { ...company.orderMatching, ...location.orderMatching }
      : company.orderMatching,
  }
}

/** When the order expires, by the request, else by the settings; null for never. */
export function expiryOf(
  request: Pick<CreateOrder['settings'], 'expiresIn' | 'expiresInUnit'>,
  settings: CatalogSettings,
  now: Date,
): Date | null {
  const { expiresIn, expiresInUnit = 'days' } = request.expiresIn === undefined ? settings : request
  return expiresIn === undefined ? null : new Date(now.getTime() + Math.round(expiresIn * MS[expiresInUnit]))
}

/** The request overrides the settings, which override the defaults of the profile. */
export function matchingOf(request: CreateOrder['orderMatching'], settings: CatalogSettings): MatchingOptions {
  const set = settings.orderMatching
  const profile = request?.profile ?? set?.profile ?? 'standard'
  const lookBack = request?.lookBackPeriod ?? set?.lookBackPeriod
  const settingScore = set?.matchScore ?? MATCHING[profile].minScore
  return {
    enabled: request?.enabled ?? set?.enabled ?? false,
    profile,
    lookBackMs: lookBack ? lookBack.value * MS[lookBack.unit] : MATCHING[profile].lookBackMs,
    minScore: request?.matchScore ?? settingScore,
    settingScore,
  }
}

/**
 * The options for a token without `order.participant.read`. It cannot lower the score below the setting, or it could probe
 * participants on file by trying one score after the other (ruling 40).
 */
export const withSettingAsFloor = (options: MatchingOptions): MatchingOptions => ({
  ...options,
  minScore: Math.max(options.minScore, options.settingScore),
})
