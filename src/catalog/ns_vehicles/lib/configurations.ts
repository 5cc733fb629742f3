import type { ProviderHttp } from '#core/ports.ts'
import { menu } from './sources.ts'

/** The most models whose configurations are requested, one request each. */
const modelsMax = 8

const bare = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/**
 * Follows the registry's menus: makes of the year, models of the make, options of the model. Undefined: no such make.
 */
export async function findConfigurations(
  http: ProviderHttp,
  asked: {
    year: number
    make?: string | undefined
    model?: string | undefined
    /** Make and model in one phrase. */
    words?: string | undefined
  },
) {
  const { year, words = '' } = asked
  const makes = await menu(http, 'make', { year })
  const phrase = bare(words)
  const make = makes
    .filter(({ value }) =>
      asked.make === undefined ? phrase.startsWith(bare(value)) : bare(value) === bare(asked.make),
    )
    // "Land Rover" rather than "Land".
    .toSorted((one, other) => other.value.length - one.value.length)[0]?.value
  if (make === undefined) return undefined
  const wanted = bare(asked.model ?? '') || phrase.replace(bare(make), '')
  const models = (await menu(http, 'model', { year, make }))
    .filter(({ value }) => bare(value).includes(wanted))
    .toSorted((one, other) => one.value.length - other.value.length)
    .slice(0, modelsMax)
  const options = await Promise.all(
    models.map(async ({ value: model }) =>
      (await menu(http, 'options', { year, make, model })).map((option) => ({
        id: `epa:${option.value}`,
        source: 'fueleconomy.gov',
        title: `${year} ${make} ${model} ${option.text}`,
        year,
        make,
        model,
        url: `https://www.fueleconomy.gov/feg/Find.do?action=sbs&id=${option.value}`,
      })),
    ),
  )
  return options.flat()
}
