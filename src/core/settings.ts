// How a room declares its settings: names in capitals, each with a schema, a default and a description.
import { z } from 'zod'

/**
 * Settings by name. `config.ts` merges those of all rooms and reads them from the environment; the reference page and
 * `.env.example` are made from their descriptions.
 */
export type Settings = Readonly<Record<string, z.ZodType>>

/** The values of these settings, once they are read. */
export type SettingValues<Declared extends Settings> = {
  readonly [Name in keyof Declared]: z.output<Declared[Name]>
}

export const wholeNumber = (least: number, most: number) =>
  z.coerce.number().int().min(least).max(most)

export const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)
