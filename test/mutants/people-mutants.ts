// Bugs of finding people: the wrong person is returned, or more is spent or charged than the price covers.
import type { Mutant } from './mutant.ts'

const onefind = 'src/features/knowledge/people/onefind.ts'
const onefindTests = ['src/features/knowledge/people/onefind.test.ts']
const deep = 'src/features/knowledge/people/deep'
const deepTests = [`${deep}/onefind-deep.test.ts`]

export const peopleMutants: readonly Mutant[] = [
  {
    name: 'a search of people asks sources that its price does not cover',
    file: onefind,
    find: 'rest -= prepared.quote.micros',
    replace: '',
    tests: onefindTests,
  },
  {
    name: 'a person on the list of the operator is found',
    file: onefind,
    find: '(person) => !listed.has(person)',
    replace: '() => true',
    tests: onefindTests,
  },
  {
    name: 'people of one name at one company become one, although their profiles differ',
    file: 'src/features/knowledge/people/merge.ts',
    find: 'return one.linkedin === other.linkedin',
    replace: 'return true',
    tests: onefindTests,
  },
  {
    name: 'fields are filled beyond the budget',
    file: `${deep}/reserve.ts`,
    find: 'next.micros > left ? undefined : grant(next.micros)',
    replace: 'grant(next.micros)',
    tests: deepTests,
  },
  {
    name: 'fields that were not found are charged',
    file: `${deep}/fill-row.ts`,
    find: 'share.settle(reason === undefined ? fieldMicros(field) : 0)',
    replace: 'share.settle(fieldMicros(field))',
    tests: deepTests,
  },
  {
    name: 'a person who turns out to be on the list is returned',
    file: `${deep}/fill-row.ts`,
    find: 'row.isSuppressed ||= tools.optOut.has({ ...person, ...firstOf(record) })',
    replace: '',
    tests: deepTests,
  },
  {
    name: 'what a source did not know is asked again',
    file: `${deep}/fill-row.ts`,
    find: 'if (await tools.missed(digest)) return undefined',
    replace: '',
    tests: deepTests,
  },
  {
    name: 'a job pays without limit for searches that find nothing',
    file: `${deep}/paid-call.ts`,
    find: 'share.settle(paid)',
    replace: 'share.settle(0)',
    tests: deepTests,
  },
  {
    name: 'an address that its mail server refuses is filled',
    file: `${deep}/named-values.ts`,
    find: "verdict !== 'invalid')",
    replace: 'verdict !== null)',
    tests: [`${deep}/fill-row.test.ts`],
  },
]
