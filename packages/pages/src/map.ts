import type { ClinicsView } from './clinic-views.ts'
import { formatDistance } from './clinic.ts'
import { formatList } from './formats.ts'
import { html, trusted, type Html } from './html.ts'
import { boxAround, isApart, isOnMap, labelBox, labelsBeside, TEXT, WIDTH, type Box, type Label } from './map-labels.ts'
import { lakeNames, shields, type Paper } from './map-names.ts'
import { spreadPins, type Dot, type Room } from './pins.ts'
import { textsIn } from './texts.ts'
import type { ClinicView, Language, MapView, Spot } from './views.ts'

const PIN = 25
/** The radius of the dot in the center. */
const MARK = 12
const COMPASS = { left: 0, top: 0, right: 60, bottom: 90 }
const MAX_TOWNS = 8
const RINGS_MILES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000]
const MAX_RINGS = 3

type Shown = Pick<ClinicsView, 'clinics' | 'order' | 'near'> & { map: MapView }

/** A map of the clinics: pins numbered as in the list, distance rings, borders, highways and towns. North is up. */
export function clinicsMap({ map, clinics, order, near }: Shown, language: Language): Html {
  const texts = textsIn(language, order.reader)
  const scale = WIDTH / 2 / map.reach.east
  const height = Math.round(2 * map.reach.north * scale)
  const center = { x: WIDTH / 2, y: height / 2 }
  const toCanvas = ({ east, north }: Spot): Dot => ({ x: center.x + east * scale, y: center.y - north * scale })
  const pins = pinsOf(clinics, toCanvas, { width: WIDTH, height, size: 2 * PIN + 3, reserved: center })
  const rings = ringsOf(map.reach.north)
  const occupied = [boxAround(center, 2 * MARK), COMPASS, ...pins.map(({ place }) => boxAround(place, PIN))]
  const marks = rings.map((miles) =>
    ringLabel(texts.clinics.miles(String(miles)), { radius: miles * scale, center, occupied }),
  )
  const named = [...occupied, ...marks.map(labelBox)]
  const you = labelsBeside(center, texts.here[near === 'search' ? 'place' : 'home'], 2 * MARK).find((label) =>
    isApart(labelBox(label), named),
  )
  const paper = { used: [...named, ...(you ? [labelBox(you)] : [])], height }
  const linesOf = (shapes: MapView['lakes']) => shapes.flatMap(({ lines }) => lines)
  const roads = pathOf(linesOf(map.highways), toCanvas, '')
  return html`<figure class="map">
    <a class="skip" href="#clinic-1">${texts.skipMap}</a>
    <svg viewBox="0 0 ${WIDTH} ${height}" role="group" aria-label="${texts.mapTitle}">
      <g aria-hidden="true">
        <path class="abroad" d="${pathOf(map.abroad, toCanvas, 'z')}" />
        <path class="lake" d="${pathOf(linesOf(map.lakes), toCanvas, 'z')}" />
        <path class="land" d="${pathOf(map.states, toCanvas, 'z')}" />
        <path class="county" d="${pathOf(map.counties, toCanvas, '')}" />
        <path class="road" d="${roads}" />
        <path class="lane" d="${roads}" />
        ${rings.map((miles) => html`<circle class="ring" cx="${center.x}" cy="${center.y}" r="${round(miles * scale)}" />`)}
        ${townsOf(map, toCanvas, paper)} ${lakeNames(map, toCanvas, paper)} ${shields(map.highways, toCanvas, paper)}
        ${marks.map(pill)} ${pins.map(leader)}
        <circle class="halo" cx="${center.x}" cy="${center.y}" r="${2 * MARK}" />
        <circle class="here" cx="${center.x}" cy="${center.y}" r="${MARK}" />
        ${you ? html`<text class="you" x="${round(you.x)}" y="${round(you.y)}">${you.text}</text>` : ''}
        <path class="compass" d="M30 52v-34l-9 12m9-12l9 12" />
        <text class="far" x="30" y="76">${texts.clinics.north}</text>
      </g>
      ${pins.map(({ number, clinic, place }) => {
        const away = clinic.miles === null ? '' : `, ${formatDistance(clinic.miles, language)}`
        return html`<a href="#clinic-${number}" aria-label="${number}: ${clinic.name}${away}"
          ><circle class="pin" cx="${round(place.x)}" cy="${round(place.y)}" r="${PIN}" /><text
            x="${round(place.x)}"
            y="${round(place.y + 9)}"
            >${number}</text
          ></a
        >`
      })}
    </svg>
    <figcaption>${texts.mapCaption(formatList(rings, language))}</figcaption>
  </figure>`
}

interface Pin {
  number: number
  clinic: ClinicView
  /** The position of the clinic, and of its pin if that had to move. */
  spot: Dot
  place: Dot
}

function pinsOf(clinics: ClinicView[], toCanvas: (spot: Spot) => Dot, room: Room): Pin[] {
  const located = clinics.flatMap((clinic, i) =>
    clinic.at ? [{ number: i + 1, clinic, spot: toCanvas(clinic.at) }] : [],
  )
  const spots = located.map(({ spot }) => spot)
  return spreadPins(spots, room).map((place, i) => ({ ...located[i]!, place }))
}

/** The line from a moved pin to the position of its clinic. */
function leader({ spot, place }: Pin): Html | null {
  if (Math.hypot(place.x - spot.x, place.y - spot.y) < PIN / 2) return null
  const [x, y] = [round(spot.x), round(spot.y)]
  return html`<path class="leader" d="M${x} ${y}L${round(place.x)} ${round(place.y)}" /><circle
      class="spot"
      cx="${x}"
      cy="${y}"
      r="5"
    />`
}

/** Up to three rings at round distances. */
function ringsOf(reach: number): number[] {
  const step = RINGS_MILES.find((miles) => reach / miles <= MAX_RINGS + 1) ?? RINGS_MILES.at(-1)!
  return Array.from({ length: MAX_RINGS }, (_, i) => step * (i + 1)).filter((miles) => miles < reach * 0.93)
}

/** Puts the distance at the top of a ring, or elsewhere on it if pins cover that. */
function ringLabel(
  text: string,
  { radius, center, occupied }: { radius: number; center: Dot; occupied: Box[] },
): Label {
  const marks = [0, 1, -1, 2, -2, 3, -3, 4].map((eighths) => {
    const angle = (eighths * Math.PI) / 4
    return { text, x: center.x + radius * Math.sin(angle), y: center.y - radius * Math.cos(angle) + 7 }
  })
  return marks.find((mark) => isApart(labelBox(mark), occupied)) ?? marks[0]!
}

/** The distance of a ring on a light ground. */
function pill(mark: Label): Html {
  const { left, top, right } = labelBox(mark)
  return html`<rect
      class="pill"
      x="${round(left)}"
      y="${round(top - 5)}"
      width="${round(right - left)}"
      height="${TEXT + 14}"
      rx="${round(TEXT / 2) + 7}"
    /><text class="far" x="${round(mark.x)}" y="${round(mark.y)}">${mark.text}</text>`
}

/** Towns whose names cover nothing else. */
function townsOf({ towns }: MapView, toCanvas: (spot: Spot) => Dot, { used, height }: Paper): Html[] {
  const shown: Html[] = []
  for (const { name, ...spot } of towns) {
    if (shown.length === MAX_TOWNS) break
    const at = toCanvas(spot)
    if (!isOnMap(boxAround(at, MARK), height)) continue
    const label = labelsBeside(at, name).find(
      (each) => isOnMap(labelBox(each), height) && isApart(labelBox(each), used),
    )
    if (!label) continue
    used.push(labelBox(label), boxAround(at, 4))
    shown.push(
      html`<circle class="dot" cx="${round(at.x)}" cy="${round(at.y)}" r="4" /><text
          x="${round(label.x)}"
          y="${round(label.y)}"
          >${name}</text
        >`,
    )
  }
  return shown
}

/** Lines as one path in relative whole units, which is much shorter than absolute ones. */
function pathOf(lines: Spot[][], toCanvas: (spot: Spot) => Dot, end: 'z' | ''): Html {
  const drawn = lines.map((line) => {
    const [first, ...rest] = line.map(toCanvas).map(({ x, y }) => ({ x: round(x), y: round(y) }))
    let last = first!
    const steps = rest.flatMap((dot) => {
      const step = [dot.x - last.x, dot.y - last.y]
      last = dot
      return step
    })
    return `M${first!.x} ${first!.y}l${steps.join(' ')}${end}`
  })
  // A minus sign also separates numbers.
  return trusted(drawn.join('').replaceAll(' -', '-'))
}

const { round } = Math
