import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clinicsPage } from '../src/clinics-page.ts'
import { spreadPins } from '../src/pins.ts'
import type { ClinicCard } from '../src/clinic-views.ts'
import { clinicCard, clinicsView } from './given.ts'
import type { MapView, Spot } from '../src/views.ts'

const clinic = (at: Spot | null, i: number): ClinicCard =>
  clinicCard({ id: `c${i}`, name: `Clinic ${i + 1}`, miles: at && Math.hypot(at.east, at.north), at })

const MAP: MapView = {
  reach: { east: 12, north: 10 },
  states: [],
  counties: [],
  abroad: [],
  lakes: [],
  highways: [],
  towns: [],
}

function mapOf(spots: (Spot | null)[], members: Partial<MapView> = {}, language: 'en' | 'es' = 'en'): string {
  const view = clinicsView({ clinics: spots.map(clinic), map: { ...MAP, ...members } })
  return clinicsPage({ language, isChosen: false, path: '/o/s' }, view)
}

const pinsIn = (page: string) =>
  [...page.matchAll(/<a href="#(clinic-\d+)" aria-label="([^"]+)"\s*><circle class="pin" cx="(\d+)" cy="(\d+)"/g)].map(
    ([, id, name, x, y]) => ({ id: id!, name: name!, x: Number(x), y: Number(y) }),
  )

describe('the map', () => {
  test('the map shows clinics with north up, east to the right and the place searched in the center', () => {
    const page = mapOf([
      { east: 0, north: 5 },
      { east: 6, north: 0 },
      { east: -6, north: -5 },
    ])
    expect(page).toContain('viewBox="0 0 720 600"')
    expect(pinsIn(page).map(({ x, y }) => [x, y])).toEqual([
      [360, 150],
      [540, 300],
      [180, 450],
    ])
    expect(page).toContain('class="here" cx="360" cy="300"')
  })

  test('each pin links to the entry with the same number and has a name for screen readers', () => {
    const page = mapOf([null, { east: 3, north: 4 }])
    expect(pinsIn(page)).toMatchObject([{ id: 'clinic-2', name: '2: Clinic 2, 5 miles away' }])
    const entries = [
      ...page.matchAll(
        /<li class="card clinic(?: first)?" id="(clinic-\d)" tabindex="-1">[\s\S]*?<h2><span class="number">(\d)<\/span> ([^<]+)/g,
      ),
    ]
    expect(entries.map(([, ...parts]) => parts)).toEqual([
      ['clinic-1', '1', 'Clinic 1'],
      ['clinic-2', '2', 'Clinic 2'],
    ])
  })

  test('the map has rings at round distances, which its caption explains', () => {
    const page = mapOf([{ east: 1, north: 1 }])
    expect([...page.matchAll(/class="ring" cx="360" cy="300" r="(\d+)"/g)].map(([, r]) => Number(r))).toEqual([150])
    expect(page).toContain('>5\u00a0mi</text')
    expect(page).toContain('Dashed: 5 miles.')
    expect(mapOf([{ east: 1, north: 1 }], { reach: { east: 36, north: 30 } }, 'es')).toContain('10 y 20 millas')
  })

  test('the map leaves out town names that would cover a pin, another name or the edge', () => {
    const towns = [
      { name: 'Naperville', east: 5, north: 5 },
      { name: 'Nearly Naperville', east: 5.1, north: 5.1 },
      { name: 'Edgewater Beyond The Edge', east: 11.9, north: 9.9 },
    ]
    const page = mapOf([{ east: -5, north: -5 }], { towns })
    expect(page).toContain('>Naperville</text')
    expect(page).not.toContain('Edgewater')
    const boxed = [...page.matchAll(/<text\s+x="(\d+)"\s+y="(\d+)"\s*>(Near|Nap)/g)].map(([, , y]) => Number(y))
    expect(boxed).toHaveLength(2)
    for (const [i, y] of boxed.entries())
      for (const other of boxed.slice(i + 1)) expect(Math.abs(y - other)).toBeGreaterThan(21)
  })

  test('each highway has its number once, on the road, and main routes come first', () => {
    const along = (north: number) => [-12, -6, 0, 6, 12].map((east) => ({ east, north }))
    const highways = [
      { name: 'I-294', lines: [along(-8)] },
      { name: 'I-90', lines: [along(8), along(6)] },
      { name: 'I-190', lines: [[{ east: 11.9, north: 0 }]] },
    ]
    const page = mapOf([{ east: -5, north: -5 }], { highways })
    const routes = [...page.matchAll(/<text class="route" x="\d+" y="(\d+)"\s*>(I-\d+)/g)].map(([, y, name]) => [
      name,
      y,
    ])
    expect(routes).toEqual([
      ['I-90', '128'],
      ['I-294', '548'],
    ])
    expect(page.match(/class="road" d="M0 540l180 0/g)).toHaveLength(1)
  })

  test('a lake has its name where that lies in the water, and none if it has no room', () => {
    const square = (west: number, east: number) => [
      { east: west, north: 9 },
      { east, north: 9 },
      { east, north: -9 },
      { east: west, north: -9 },
    ]
    const lake = { name: 'Lake Michigan', lines: [square(1, 12)] }
    const [, x] = /<text class="water" x="(\d+)" y="\d+"\s*>Lake Michigan/.exec(
      mapOf([{ east: -5, north: -5 }], { lakes: [lake] }),
    )!
    expect(Number(x) - 13 * 7).toBeGreaterThan(390)
    expect(mapOf([{ east: -5, north: -5 }], { lakes: [lake], states: [square(3, 12)] })).not.toContain('Lake Michigan')
    expect(mapOf([{ east: -5, north: -5 }], { lakes: [{ name: 'Pond', lines: [square(1, 1.5)] }] })).not.toContain(
      'Pond',
    )
  })

  test('a moved pin has a line to the position of its clinic', () => {
    const crowd = Array.from({ length: 3 }, () => ({ east: 4, north: 4 }))
    expect(mapOf(crowd).match(/class="leader" d="M480 180L/g)!.length).toBeGreaterThan(1)
    expect(mapOf([{ east: 4, north: 4 }])).not.toContain('class="leader"')
  })
})

describe('pins', () => {
  const ROOM = { width: 720, height: 600, size: 53, reserved: { x: 360, y: 300 } }
  const dot = fc.record({ x: fc.integer({ min: 0, max: 720 }), y: fc.integer({ min: 0, max: 600 }) })
  const crowd = fc.oneof(
    fc.array(dot, { maxLength: 20 }),
    fc.tuple(dot, fc.integer({ min: 1, max: 20 })).map(([one, n]) => Array.from({ length: n }, () => one)),
    fc.array(fc.constantFrom({ x: 0, y: 0 }, { x: 360, y: 300 }, { x: 720, y: 600 }), { maxLength: 20 }),
  )

  test('pins never overlap each other, the place searched or the edge', () => {
    fc.assert(
      fc.property(crowd, (dots) => {
        const places = spreadPins(dots, ROOM)
        expect(places).toHaveLength(dots.length)
        for (const [i, a] of places.entries()) {
          for (const b of [...places.slice(i + 1), ROOM.reserved])
            expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThanOrEqual(ROOM.size)
          expect(Math.min(a.x, a.y, ROOM.width - a.x, ROOM.height - a.y)).toBeGreaterThanOrEqual(ROOM.size / 2)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('pins do not move when there is room', () => {
    const spots = [
      { x: 100, y: 100 },
      { x: 160, y: 100 },
    ]
    expect(spreadPins(spots, ROOM)).toEqual(spots)
  })
})
