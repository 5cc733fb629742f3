// What has been filled into the form of a page, as text at its place.
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The text of a field, with its place in the coordinates of the PDF. */
export interface FilledField {
  readonly text: string
  readonly left: number
  readonly baseline: number
  readonly width: number
  readonly size: number
}

const usualSizePt = 10
const fieldsMax = 5_000
const textCharactersMax = 10_000

/** Without fields that are empty or not shown. */
export async function readFields(page: PDFPageProxy): Promise<readonly FilledField[]> {
  const annotations: readonly Field[] = await page.getAnnotations()
  return annotations.slice(0, fieldsMax).flatMap((field) => {
    const { rect: [left = 0, bottom = 0, right = 0, top = 0] = [] } = field
    const size = Math.min(field.defaultAppearanceData?.fontSize || usualSizePt, top - bottom)
    if (field.subtype !== 'Widget' || field.hidden || field.password || size <= 0) return []
    const lines = textOf(field)
      .slice(0, textCharactersMax)
      .split(/\r\n?|\n/)
      .map(withoutControls)
    // One line stands in the middle of its field, several begin at its top.
    const first = lines.length === 1 ? (top + bottom - size * 0.7) / 2 : top - size
    return lines.flatMap((text, line) =>
      text.trim() === ''
        ? []
        : [{ text, left, baseline: first - line * size * lineHeight, width: right - left, size }],
    )
  })
}

const lineHeight = 1.2
/** PostgreSQL stores no NUL, and no font shows the others. */
const withoutControls = (text: string) => text.replace(/\p{Cc}/gu, '')

/** What pdf.js tells of an annotation. */
interface Field {
  readonly subtype?: string
  readonly hidden?: boolean
  readonly password?: boolean
  readonly rect?: readonly number[]
  readonly fieldType?: string
  readonly fieldValue?: unknown
  readonly checkBox?: boolean
  readonly radioButton?: boolean
  readonly buttonValue?: unknown
  readonly defaultAppearanceData?: { readonly fontSize?: number }
}

function textOf({ fieldType, fieldValue, checkBox, radioButton, buttonValue }: Field): string {
  if (fieldType === 'Btn') {
    const isOn = radioButton
      ? fieldValue === buttonValue
      : fieldValue !== 'Off' && fieldValue !== null
    return checkBox || radioButton ? (isOn ? '☒' : '☐') : ''
  }
  if (typeof fieldValue === 'string') return fieldValue
  return Array.isArray(fieldValue) ? fieldValue.join(', ') : ''
}
