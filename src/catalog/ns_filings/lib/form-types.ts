import { z } from '#core/action.ts'

/** A list of form types as callers write it: `10-K,8-K`. */
export const formTypes = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9 /.-]+(,[A-Za-z0-9 /.-]+)*$/, 'must be form types, comma-separated')
  .optional()

export const readFormTypes = (list: string): string[] =>
  list.split(',').map((form) => form.trim().toUpperCase())

/** Whether a filing of this form was requested: a root form covers its amendments, an amendment only itself. */
export function isOfForms(wanted: readonly string[], form: string): boolean {
  const name = form.toUpperCase()
  return wanted.some((one) => name === one || name === `${one}/A`)
}
