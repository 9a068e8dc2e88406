import type { Icon } from './icons.ts'
import type { VisitKind } from './text-keys.ts'
import type { ServiceView } from './views.ts'

/** The first that applies to the type of a service, else to its category. */
const TYPES: readonly [RegExp, VisitKind][] = [
  [/urine/i, 'urine'],
  [/oralfluid|saliva/i, 'oralFluid'],
  [/^hair/i, 'hair'],
  [/^breath/i, 'breath'],
  [/blood|titer|serum/i, 'blood'],
  [/dot.?physical/i, 'dotPhysical'],
  [/physical/i, 'physical'],
  [/audio|hearing/i, 'audiogram'],
  [/respirator|fit.?test/i, 'respiratorFit'],
  [/pulmonary|spirometry/i, 'pulmonaryFunction'],
  [/vaccin|immuni/i, 'vaccination'],
  [/^tb|tubercul/i, 'tuberculosis'],
  [/vision|eye/i, 'vision'],
]
const CATEGORIES: Readonly<Record<string, VisitKind>> = {
  drug: 'otherSample',
  alcohol: 'otherSample',
  occupationalHealth: 'otherExam',
}

export const KIND_ICONS: Record<VisitKind, Icon> = {
  urine: 'droplets',
  oralFluid: 'droplets',
  hair: 'scissors',
  breath: 'wind',
  blood: 'syringe',
  dotPhysical: 'stethoscope',
  physical: 'stethoscope',
  audiogram: 'ear',
  respiratorFit: 'wind',
  pulmonaryFunction: 'wind',
  vaccination: 'syringe',
  tuberculosis: 'syringe',
  vision: 'glasses',
  otherSample: 'tube',
  otherExam: 'stethoscope',
}

const EXAMS: ReadonlySet<VisitKind> = new Set(['dotPhysical', 'physical'])

/** Each kind once, in the order of the services. Background checks need no visit. */
export function kindsOf(services: readonly ServiceView[]): VisitKind[] {
  const kinds = services.flatMap(({ type, category = '' }) => {
    if (category === 'background') return []
    const kind = TYPES.find(([pattern]) => pattern.test(type))?.[1] ?? CATEGORIES[category]
    return kind ? [kind] : []
  })
  return [...new Set(kinds)]
}

/** Whether the visit takes longer, because a doctor examines the participant. */
export const hasExam = (kinds: readonly VisitKind[]): boolean => kinds.some((kind) => EXAMS.has(kind))
