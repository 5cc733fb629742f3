// People in the answers of vendors, whose fields have many names.
import type { OptOutList } from './opt-out.ts'
import { canonicalProfile, isDomain, type Person } from './person.ts'

type Fields = Readonly<Record<string, unknown>>

const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const nameFields = ['full_name', 'name', 'display_name', 'person_name', 'fullName'] as const
const nameParts = [
  ['first_name', 'last_name'],
  ['firstname', 'lastname'],
  ['firstName', 'lastName'],
] as const
const placeFields =
  /^(?:company(?:_?name)?|organi[sz]ation|employer|current_company(?:_name)?|domain(?:OrCompany)?)$/i
/** An object with one of these and a list of addresses is a person, and the addresses are theirs. */
const ownFields =
  /^(?:phones?|work_email|personal_email|headline|linkedin(?:_url)?|(?:full|first|last)_?name)$/i
/** Answers of vendors are not deeper. */
const depthMax = 12

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether the fields of one object are those of a listed person. */
export function isOfListed(value: unknown, list: OptOutList): boolean {
  if (typeof value === 'string') return identifiersIn(value).some((person) => list.has(person))
  if (!isFields(value)) return false
  const texts = Object.values(value).flatMap((each) => (typeof each === 'string' ? [each] : []))
  const own = Object.keys(value).some((name) => ownFields.test(name))
    ? Object.values(value).flatMap((each) => (Array.isArray(each) ? each : []))
    : []
  const listed = own.filter((each) => typeof each === 'string')
  const name = nameOf(value)
  return [
    ...[...texts, ...listed].flatMap(identifiersIn),
    ...placesOf(value).map((place) => ({ name, ...place })),
  ].some((person) => list.has(person))
}

/** Stands for an answer about a listed person. */
export const leftOut = Symbol('left out')

/** The answer without listed people. */
export function leaveOutListed(value: unknown, list: OptOutList, depth = 0): unknown {
  if (depth > depthMax) return value
  const below = (each: unknown) => leaveOutListed(each, list, depth + 1)
  if (Array.isArray(value)) return value.map(below).filter((each) => each !== leftOut)
  if (isOfListed(value, list)) return leftOut
  if (!isFields(value)) return value
  const entries = Object.entries(value).map(([name, each]) => [name, below(each)] as const)
  // A person in a field of their own is whom the answer is about.
  return entries.some(([, each]) => each === leftOut) ? leftOut : Object.fromEntries(entries)
}

/** Those whom an answer names by an address or a profile. */
export function peopleIn(value: unknown, depth = 0): readonly Person[] {
  if (typeof value === 'string') return identifiersIn(value)
  if (typeof value !== 'object' || value === null || depth > depthMax) return []
  return Object.values(value).flatMap((each) => peopleIn(each, depth + 1))
}

function identifiersIn(text: string): readonly Person[] {
  const trimmed = text.trim()
  if (emailShape.test(trimmed)) return [{ email: trimmed }]
  const linkedin = canonicalProfile(trimmed)
  return linkedin === undefined ? [] : [{ linkedin }]
}

function nameOf(fields: Fields): string | undefined {
  const whole = nameFields.map((name) => textOf(fields[name])).find((name) => name !== undefined)
  const parts = nameParts
    .map(([first, last]) => [textOf(fields[first]), textOf(fields[last])])
    .find(([first, last]) => first !== undefined && last !== undefined)
  return whole ?? parts?.join(' ')
}

function placesOf(fields: Fields): readonly Person[] {
  return Object.entries(fields).flatMap(([field, value]) => {
    if (!placeFields.test(field)) return []
    const place = textOf(value) ?? (isFields(value) ? textOf(value.name) : undefined)
    if (place === undefined) return []
    return [isDomain(place) ? { domain: place } : { company: place }]
  })
}

const textOf = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
