import { createCanvas, loadImage } from '@napi-rs/canvas'
import { BinaryBitmap, Code128Reader, DecodeHintType, HybridBinarizer, RGBLuminanceSource } from '@zxing/library'
import reader from 'jsqr'
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The bar code that a scanner reads from a picture. Throws if there is none. */
export const scanned = async (png: Uint8Array): Promise<string> =>
  new Code128Reader().decode(await bitmapOf(png), TRY_HARDER).getText()

/** The same for a QR code, by a reader that misses none: the one beside it loses a twentieth of perfectly drawn ones. */
export async function scannedSquare(png: Uint8Array): Promise<string> {
  const { data, width, height } = await pixelsOf(png)
  const found = reader.default(data, width, height)
  if (!found) throw new Error('There is no QR code in the picture.')
  return found.data
}

const TRY_HARDER = new Map([[DecodeHintType.TRY_HARDER, true]])

async function bitmapOf(png: Uint8Array): Promise<BinaryBitmap> {
  const { data, width, height } = await pixelsOf(png)
  const grey = Uint8ClampedArray.from({ length: width * height }, (_, i) =>
    Math.round((data[4 * i]! + data[4 * i + 1]! + data[4 * i + 2]!) / 3),
  )
  return new BinaryBitmap(new HybridBinarizer(new RGBLuminanceSource(grey, width, height)))
}

async function pixelsOf(png: Uint8Array) {
  const image = await loadImage(png)
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  return context.getImageData(0, 0, image.width, image.height)
}

export const readPdf = (bytes: Uint8Array): Promise<PDFDocumentProxy> =>
  getDocument({ data: Uint8Array.from(bytes), verbosity: 0 }).promise

/** The text of the first page, in reading order. */
export async function wordsOf(pdf: PDFDocumentProxy): Promise<string> {
  const { items } = await (await pdf.getPage(1)).getTextContent()
  return items
    .map((item) => ('str' in item ? item.str : ''))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
}

/** The first page as printed at a resolution. */
export async function printed(pdf: PDFDocumentProxy, dotsPerInch: number): Promise<Buffer> {
  const page = await pdf.getPage(1)
  const viewport = page.getViewport({ scale: dotsPerInch / 72 })
  const canvas = createCanvas(viewport.width, viewport.height)
  // The types require browser elements.
  const target = { canvas, canvasContext: canvas.getContext('2d') } as unknown as { canvas: null }
  await page.render({ ...target, viewport }).promise
  return canvas.toBuffer('image/png')
}
