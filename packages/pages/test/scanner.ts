import { createCanvas, loadImage } from '@napi-rs/canvas'
import {
  BinaryBitmap,
  Code128Reader,
  DecodeHintType,
  HybridBinarizer,
  QRCodeReader,
  RGBLuminanceSource,
} from '@zxing/library'
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The bar code that a scanner reads from a picture. Throws if there is none. */
export const scanned = async (png: Uint8Array): Promise<string> =>
  new Code128Reader().decode(await bitmapOf(png), TRY_HARDER).getText()

/** The same for a QR code. */
export const scannedSquare = async (png: Uint8Array): Promise<string> =>
  new QRCodeReader().decode(await bitmapOf(png), TRY_HARDER).getText()

const TRY_HARDER = new Map([[DecodeHintType.TRY_HARDER, true]])

async function bitmapOf(png: Uint8Array): Promise<BinaryBitmap> {
  const image = await loadImage(png)
  const { width, height } = image
  const context = createCanvas(width, height).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  const grey = Uint8ClampedArray.from({ length: width * height }, (_, i) =>
    Math.round((data[4 * i]! + data[4 * i + 1]! + data[4 * i + 2]!) / 3),
  )
  return new BinaryBitmap(new HybridBinarizer(new RGBLuminanceSource(grey, width, height)))
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
