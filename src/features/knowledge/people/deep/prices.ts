import { centsToMicros, type Micros } from '#core/money.ts'
import { type PersonField, personFields } from '../person.ts'

/**
 * What each field costs when it is found. A price covers the cheaper sources of its field with their verification, and
 * part of the searches that find nothing, which are free for the caller. A phone number needs two sources that agree.
 */
export const fieldCents: Readonly<Record<PersonField, number>> = {
  name: 4,
  title: 5,
  company: 4,
  linkedin: 4,
  email: 10,
  phone: 45,
}

export const fieldMicros = (field: PersonField): Micros => centsToMicros(fieldCents[field])

export const describeFieldPrices = (): string =>
  personFields.map((field) => `${fieldCents[field]}¢ for each ${field}`).join(', ')
