import { defineAction } from '#core/action.ts'
import { citedInput, citedOutput, searchCited } from './lib/cited-search.ts'

export const search = defineAction('search', {
  summary: 'Get an answer from the web together with the sources that it rests on.',
  notes:
    'Use it when a statement must be checkable: the answer comes with its sources, or as an object by your JSON schema (outputType structured). One retrieval: when facts must be chained over several pages use ns_cite/deep-search. For passages without an answer use ns_rag/search, for links alone ns_indep/search.',
  synonyms: [
    'answer with sources',
    'citations',
    'cited answer',
    'linkup',
    'fact check',
    'footnotes',
  ],
  questions: [
    'what is the answer, and who says so?',
    'which references back up this claim?',
    'fill in this JSON about the company from the web',
  ],
  timeoutMs: 60_000,
  input: citedInput,
  output: citedOutput,
  price: { cents: 1 },
  example: { input: { q: 'What is the capital of France?' }, cents: 1 },
  run: ({ input, http }) => searchCited(http, input, 'standard'),
})
