// Parameters that actions about people and companies share.
import { z } from '#core/action.ts'
import { badUrl, normalizeUrl, urlCharactersMax } from '#core/web-address.ts'

export const emailAddress = z
  .email('must be an e-mail address such as jane@example.com')
  .max(254)
  .describe('The e-mail address.')

const hostName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{1,62}$/i

export const domainName = z
  .string()
  .trim()
  .regex(hostName, 'must be a bare domain such as example.com')

export const name = z.string().trim().min(1).max(200)
export const names = z.array(name).min(1).max(50).optional()

/** The public address of a LinkedIn profile, as people copy it. Throws `bad_url` from the parse for any other text. */
export const profileUrl = z
  .string()
  .trim()
  .min(1)
  .max(urlCharactersMax)
  .transform((text) => {
    const { hostname, pathname, href } = new URL(normalizeUrl(text))
    if (/(^|\.)linkedin\.com$/.test(hostname) && /^\/(in|pub)\/./.test(pathname)) return href
    throw badUrl(text, 'Send the public address of a profile: https://www.linkedin.com/in/…')
  })

const present = (value: unknown) => value !== undefined

/** Tells `refine` whether the call has exactly one of these parameters. */
export const exactlyOne =
  <Field extends string>(...fields: readonly Field[]) =>
  (input: Partial<Record<Field, unknown>>) =>
    fields.filter((field) => present(input[field])).length === 1

/** For `refine`: whether at least one of these parameters is present. */
export const atLeastOne =
  <Field extends string>(...fields: readonly Field[]) =>
  (input: Partial<Record<Field, unknown>>) =>
    fields.some((field) => present(input[field]))
