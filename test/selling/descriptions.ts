// Descriptions of other makers, as they publish them.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readDescription } from '#features/selling/openapi/read-description.ts'

const folder = path.join(import.meta.dirname, 'descriptions')

interface DescriptionOrigin {
  readonly file: string
  readonly maker: string
  readonly licence: string
  /** On npm. */
  readonly package: string
  readonly version: string
}

export const origins = JSON.parse(
  readFileSync(path.join(folder, 'sources.json'), 'utf8'),
) as DescriptionOrigin[]

export const tableFile = path.join(folder, 'README.md')

export const textOf = ({ file }: DescriptionOrigin): string =>
  gunzipSync(readFileSync(path.join(folder, file))).toString()

export const readOrigin = (origin: DescriptionOrigin) =>
  readDescription({ text: textOf(origin), address: `https://${origin.maker}/api/description` })
