// The filters of a search, in the query language of openFDA.
import { quoted } from './product.ts'

/** The directory's field for each filter. */
const filters = { labeler: 'labeler_name', dosage_form: 'dosage_form', route: 'route' } as const

type Asked = Readonly<Partial<Record<'q' | 'ndc' | keyof typeof filters, string | undefined>>>

export function queryFor({ q, ndc, ...others }: Asked): string {
  // Adjacent terms are alternatives.
  const byName =
    q &&
    ['brand_name', 'generic_name', 'active_ingredients.name']
      .map((field) => `${field}:${quoted(q)}`)
      .join(' ')
  const byCode =
    ndc && `${ndc.split('-').length === 3 ? 'packaging.package_ndc' : 'product_ndc'}:${quoted(ndc)}`
  const narrowed = Object.entries(filters).map(([name, field]) => {
    const wanted = others[name as keyof typeof filters]
    return wanted && `${field}:${quoted(wanted)}`
  })
  return [byName && `(${byName})`, byCode, ...narrowed].filter(Boolean).join(' AND ')
}
