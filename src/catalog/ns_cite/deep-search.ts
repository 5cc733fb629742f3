import { defineAction } from '#core/action.ts'
import { citedInput, citedOutput, searchCited } from './lib/cited-search.ts'

export const deepSearch = defineAction('deep-search', {
  summary:
    'Answer a question that takes several searches, each building on the last, with sources.',
  notes:
    'It searches, reads, and searches again with what it has learnt, so it takes up to two minutes. Use it when the answer is not on one page. For a single look-up ns_cite/search costs a fifth; for a report in the background ns_par/task.',
  synonyms: ['multi-hop search', 'agentic search', 'linkup deep', 'thorough research', 'iterative'],
  questions: [
    'who are the investors of the company that bought this one?',
    'compare how three vendors price this, with proof',
    'which of these suppliers has offices in the founder’s home town?',
  ],
  timeoutMs: 120_000,
  input: citedInput,
  output: citedOutput,
  price: { cents: 5 },
  example: {
    input: { q: 'Which company makes the engines of Airbus A350?', outputType: 'searchResults' },
    cents: 5,
  },
  run: ({ input, http }) => searchCited(http, input, 'deep'),
})
