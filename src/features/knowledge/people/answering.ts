// Which of the people that were found answer the question. The others are neither returned nor charged.
import type { MergedPerson } from './merge.ts'
import { areCompaniesAlike, areNamesAlike, companyKey, nameKey } from './person.ts'
import type { PeopleQuestion } from './question.ts'

export interface Answering {
  readonly people: readonly MergedPerson[]
  /** The question names these people. */
  readonly areNamed: boolean
}

/**
 * The people whom the question names, if there are some. Otherwise those whose company is the one that is asked for or
 * is not known. A question that names someone else has no answer.
 */
export function peopleAnswering(
  people: readonly MergedPerson[],
  { head, company }: PeopleQuestion,
): Answering {
  const named = people.filter(
    (person) =>
      areNamesAlike(person.name, head) &&
      (company === undefined || areCompaniesAlike(person.company ?? '', company)),
  )
  if (named.length > 0) return { people: named, areNamed: true }
  const fitting = namesSomeone(head, people) ? [] : people
  return { people: fitting.filter(isAt(company, fitting)), areNamed: false }
}

/** `Jane Doe`: words in capitals that no title has. Roles are written so, too, but then a title has such a word. */
function namesSomeone(head: string, people: readonly MergedPerson[]): boolean {
  const titles = people.flatMap(({ title }) => (title === undefined ? [] : [wordsOfTitle(title)]))
  if (titles.length === 0 || !/^\p{Lu}[\p{Ll}'’-]+(?: \p{Lu}[\p{L}.'’-]*){1,3}$/u.test(head))
    return false
  const words = nameKey(head).split(' ')
  return !titles.some((title) => words.some((word) => title.has(word)))
}

/** With its abbreviation: `vice president` as `vp`. */
function wordsOfTitle(title: string): ReadonlySet<string> {
  const words = nameKey(title).split(' ')
  return new Set([...words, words.map((word) => word[0]).join('')])
}

/** A company that is described rather than named, such as `startups`, excludes no one unless one of them is there. */
function isAt(company: string | undefined, people: readonly MergedPerson[]) {
  if (company === undefined) return () => true
  const isThere = (person: MergedPerson) => shareCompany(person.company ?? '', company)
  const isNamed = /^\p{Lu}|\./u.test(company) || people.some(isThere)
  return (person: MergedPerson) => !isNamed || !person.company || isThere(person)
}

/** `Acme Germany` and `Acme Inc.` may be one company, since sources name parts of it. */
function shareCompany(one: string, other: string): boolean {
  const words = new Set(companyKey(one).split(' '))
  return (
    areCompaniesAlike(one, other) ||
    companyKey(other)
      .split(' ')
      .some((word) => words.has(word))
  )
}
