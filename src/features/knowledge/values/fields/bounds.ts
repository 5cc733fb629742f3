// At least and at most: `amount_min`, `max_employee_count`, `min_salary_usd`.
import { type Filled, type FillFields, type InputField, isNumeric } from '../field.ts'
import { isOf, type SaidOf } from '../said-value.ts'
import { isCount } from './counts.ts'

const boundName = /(?:^|_)(min|max)(?:_|$)/
const noBound = /tokens|cost|_age|pages|results|items|year/
const moneyName = /amount|ticket|salary|revenue|price|size|_usd/
const peopleName = /employee|headcount|staff/
const peopleNoun =
  /^(?:employees?|people|staff|heads?|mitarbeiter\w*|employés|empleados|dipendenti)$/

export const isBound = (field: InputField): boolean =>
  boundName.test(field.name) &&
  !noBound.test(field.name) &&
  isNumeric(field.schema) &&
  !isCount(field)

export const fillBounds: FillFields = (fields, { text, values }) => {
  const open = fields.filter(isBound)
  if (open.length === 0) return []
  const filled: Filled[] = []
  for (const said of values.filter(isOf('bound'))) {
    const left = open.filter(({ name }) => filled.every((one) => one.name !== name))
    filled.push(...fillBound(left, said, text))
  }
  return filled
}

function fillBound(
  fields: readonly InputField[],
  said: SaidOf<'bound'>,
  text: string,
): readonly Filled[] {
  const isPeople = peopleNoun.test(said.noun)
  if (!said.isMoney && !isPeople) return []
  const kind = isPeople ? peopleName : moneyName
  const fitting = fields.filter(({ name }) => kind.test(name))
  // Of several amounts, the one whose word is said.
  const lower = text.toLowerCase()
  const isNamed = ({ words }: InputField) =>
    words.some((word) => word.length > 3 && lower.includes(word))
  const family = fitting.some(isNamed) ? fitting.filter(isNamed) : fitting
  const place = (side: 'min' | 'max', value: number | undefined): readonly Filled[] => {
    const field = family.find(({ name }) => boundName.exec(name)?.[1] === side)
    return value === undefined || field === undefined
      ? []
      : [{ name: field.name, value: Math.round(value), from: [said] }]
  }
  return [...place('min', said.least), ...place('max', said.most)]
}
