import { html, trusted, type Html } from './html.ts'
import { awayOf } from './clinic.ts'
import { movedApart, type Dot } from './pins.ts'
import { listed, textsIn } from './texts.ts'
import type { ClinicView, Language, MapView, Spot } from './views.ts'

/** Units of the drawing, two to a pixel of a telephone, so that whole numbers are fine enough. */
const WIDTH = 720
const PIN = 25
const CROSS = 14
const COMPASS = { left: 0, top: 0, right: 60, bottom: 90 }
const TEXT = 25
/** What a letter takes, on an average. */
const LETTER = 14
const MOST_TOWNS = 8
const RINGS_MILES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000]
const MOST_RINGS = 3

/** Where the clinics lie: pins with the numbers of the list, rings at even distances, borders and towns. North is up. */
export function clinicsMap({ map, clinics }: { map: MapView; clinics: ClinicView[] }, language: Language): Html {
  const texts = textsIn(language)
  const scale = WIDTH / 2 / map.reach.east
  const height = Math.round(2 * map.reach.north * scale)
  const middle = { x: WIDTH / 2, y: height / 2 }
  const onto = ({ east, north }: Spot): Dot => ({ x: middle.x + east * scale, y: middle.y - north * scale })
  const pins = pinsOf(clinics, onto, { width: WIDTH, height, middle })
  const rings = ringsOf(map.reach.north)
  const taken = [box(middle, CROSS), COMPASS, ...pins.map(({ place }) => box(place, PIN))]
  const marks = rings.map((miles) => markOf(miles, { radius: miles * scale, middle, taken }))
  const used = [...taken, ...marks.map(labelBox)]
  return html`<figure class="map">
    <a class="skip" href="#clinic-1">${texts.skipMap}</a>
    <svg viewBox="0 0 ${WIDTH} ${height}" role="group" aria-label="${texts.mapTitle}">
      <g aria-hidden="true">
        <path class="land" d="${pathOf(map.states, onto, 'z')}" />
        <path class="county" d="${pathOf(map.counties, onto, '')}" />
        ${rings.map((miles) => html`<circle class="ring" cx="${middle.x}" cy="${middle.y}" r="${round(miles * scale)}" />`)}
        ${townsOf(map, onto, { used, height })}
        ${marks.map(({ text, x, y }) => html`<text class="far" x="${round(x)}" y="${round(y)}">${text}</text>`)}
        ${pins.map(leader)}
        <path
          class="here"
          d="M${middle.x - CROSS} ${middle.y}h${2 * CROSS}M${middle.x} ${middle.y - CROSS}v${2 * CROSS}"
        />
        <path class="compass" d="M30 52v-34l-9 12m9-12l9 12" />
        <text class="far" x="30" y="76">N</text>
      </g>
      ${pins.map(({ number, clinic, place }) => {
        const away = clinic.miles === null ? '' : `, ${awayOf(clinic.miles, language)}`
        return html`<a href="#clinic-${number}" aria-label="${number}: ${clinic.name}${away}"
          ><circle class="pin" cx="${round(place.x)}" cy="${round(place.y)}" r="${PIN}" /><text
            x="${round(place.x)}"
            y="${round(place.y + 9)}"
            >${number}</text
          ></a
        >`
      })}
    </svg>
    <figcaption>${texts.mapCaption(listed(rings, language))}</figcaption>
  </figure>`
}

interface Pin {
  number: number
  clinic: ClinicView
  /** Where the clinic lies, and where there is room for its pin. */
  spot: Dot
  place: Dot
}

interface Canvas {
  width: number
  height: number
  middle: Dot
}

function pinsOf(clinics: ClinicView[], onto: (spot: Spot) => Dot, { middle, ...room }: Canvas): Pin[] {
  const placed = clinics.flatMap((clinic, i) => (clinic.at ? [{ number: i + 1, clinic, spot: onto(clinic.at) }] : []))
  const places = movedApart(
    placed.map(({ spot }) => spot),
    { ...room, size: 2 * PIN + 3, kept: middle },
  )
  return placed.map((pin, i) => ({ ...pin, place: places[i]! }))
}

/** From a pin that had to give way to the place it stands for. */
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

/** A few, at distances that are easy to say. */
function ringsOf(reach: number): number[] {
  const step = RINGS_MILES.find((miles) => reach / miles <= MOST_RINGS + 1) ?? RINGS_MILES.at(-1)!
  return Array.from({ length: MOST_RINGS }, (_, i) => step * (i + 1)).filter((miles) => miles < reach * 0.93)
}

/** A ring's distance, where no pin covers it: in the north, else elsewhere on the ring. */
function markOf(miles: number, { radius, middle, taken }: { radius: number; middle: Dot; taken: Box[] }): Label {
  const marks = [0, 1, -1, 2, -2, 3, -3, 4].map((eighths) => {
    const angle = (eighths * Math.PI) / 4
    return { text: `${miles} mi`, x: middle.x + radius * Math.sin(angle), y: middle.y - radius * Math.cos(angle) + 7 }
  })
  return marks.find((mark) => isApart(labelBox(mark), taken)) ?? marks[0]!
}

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

const box = ({ x, y }: Dot, size: number): Box => ({ left: x - size, top: y - size, right: x + size, bottom: y + size })

/** A text, by the middle of its line. */
type Label = Dot & { text: string }

function labelBox({ text, x, y }: Label): Box {
  const half = (text.length * LETTER) / 2
  return { left: x - half, right: x + half, top: y - TEXT, bottom: y + 6 }
}

/** Towns with their names, where these cover nothing. */
function townsOf({ towns }: MapView, onto: (spot: Spot) => Dot, paper: { used: Box[]; height: number }): Html[] {
  const used = [...paper.used]
  const shown: Html[] = []
  for (const { name, ...spot } of towns) {
    if (shown.length === MOST_TOWNS) break
    const at = onto(spot)
    if (!isOn(box(at, CROSS), paper.height)) continue
    const label = labelsOf(at, name).find((each) => isOn(labelBox(each), paper.height) && isApart(labelBox(each), used))
    if (!label) continue
    used.push(labelBox(label), box(at, 4))
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

/** Where a name can stand: above its town, below it, to the right or left, or a little off. */
function labelsOf({ x, y }: Dot, text: string): Label[] {
  const aside = (text.length * LETTER) / 2 + 10
  return [
    { text, x, y: y - 12 },
    { text, x, y: y + TEXT + 6 },
    { text, x: x + aside, y: y + 7 },
    { text, x: x - aside, y: y + 7 },
    { text, x, y: y - 24 },
    { text, x, y: y + TEXT + 18 },
  ]
}

const isOn = ({ left, top, right, bottom }: Box, height: number) =>
  left > 0 && right < WIDTH && top > 0 && bottom < height

const isApart = (one: Box, used: Box[]) =>
  used.every(
    (other) => one.right < other.left || one.left > other.right || one.bottom < other.top || one.top > other.bottom,
  )

/** Lines as one path, in whole units from point to point. */
function pathOf(lines: Spot[][], onto: (spot: Spot) => Dot, end: 'z' | ''): Html {
  const drawn = lines.map((line) => {
    const [first, ...rest] = line.map(onto).map(({ x, y }) => ({ x: round(x), y: round(y) }))
    let last = first!
    const steps = rest.flatMap((dot) => {
      const step = [dot.x - last.x, dot.y - last.y]
      last = dot
      return step
    })
    return `M${first!.x} ${first!.y}l${steps.join(' ')}${end}`
  })
  // A minus sign separates as well as a space.
  return trusted(drawn.join('').replaceAll(' -', '-'))
}

const { round } = Math
