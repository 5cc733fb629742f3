// An entity of Wikidata, its texts in one language.
import { simplifyClaims, type WikidataStatement } from './claims.ts'

interface Text {
  readonly value: string
}
type ByLanguage<Said> = Readonly<Record<string, Said | undefined>>

/** Wikidata stores a name that is the same in all languages once, under this code. */
const anyLanguage = 'mul'

export function describeEntity(
  found: Readonly<Record<string, unknown>>,
  asked: { readonly id: string; readonly lang: string },
) {
  const labels = (found.labels ?? {}) as ByLanguage<Text>
  const descriptions = (found.descriptions ?? {}) as ByLanguage<Text>
  const aliases = (found.aliases ?? {}) as ByLanguage<Text[]>
  const links = Object.entries((found.sitelinks ?? {}) as Record<string, { title: string }>)
  return {
    id: found.id,
    redirected_from: found.id === asked.id ? null : asked.id,
    label: (labels[asked.lang] ?? labels[anyLanguage])?.value ?? null,
    description: descriptions[asked.lang]?.value ?? null,
    aliases: [...new Set([asked.lang, anyLanguage])].flatMap(
      (lang) => aliases[lang]?.map(({ value }) => value) ?? [],
    ),
    claims: simplifyClaims((found.claims ?? {}) as Record<string, WikidataStatement[]>),
    sitelinks: Object.fromEntries(links.map(([wiki, { title }]) => [wiki, title])),
    url: `https://www.wikidata.org/wiki/${found.id}`,
  }
}
