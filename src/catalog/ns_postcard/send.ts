import { defineAction, pick, z } from '#core/action.ts'
import { requireUnfailed } from '../lib/failed-work.ts'
import { country } from './lib/country.ts'
import { roast } from './lib/roast.ts'
import { username } from './lib/username.ts'

const line = z.string().trim().min(1).max(100)
const cents = { digital: 100, physical: 300 } as const
const address = ['name', 'address_line1', 'city', 'state', 'zip'] as const

export const send = defineAction('send', {
  summary: 'Send a GitHub user a roast on a postcard, digital or on paper.',
  notes:
    'Digital costs $1 and answers with a reveal link and a referral link; physical costs $3, needs name, address_line1, city, state and zip, and is mailed. What is printed cannot be taken back. Read the profile first with ns_postcard/github-profile. For letters and documents use ns_print/order.',
  synonyms: ['postcard', 'greeting card', 'roast', 'mail a card', 'github roast'],
  questions: [
    'send a postcard that makes fun of my friend’s code',
    'can you mail a physical card to a developer?',
    'roast octocat',
  ],
  timeoutMs: 90_000,
  irrevocable: true,
  input: z
    .strictObject({
      roast,
      github_username: username,
      type: z.enum(['digital', 'physical']).describe('digital: a link, $1. physical: paper, $3.'),
      name: line.optional().describe('Who gets it, on paper.'),
      address_line1: line.optional().describe('Street and number.'),
      address_line2: line.optional().describe('Flat or floor.'),
      city: line.optional().describe('City.'),
      state: line.optional().describe('State.'),
      zip: z.string().trim().min(3).max(12).optional().describe('Postal code.'),
      country: country.default('US').describe('Country, by its two letters.'),
      ref: z.string().trim().min(1).max(100).optional().describe('Referral code.'),
    })
    .superRefine((card, context) => {
      if (card.type !== 'physical') return
      for (const name of address.filter((field) => card[field] === undefined))
        context.addIssue({ code: 'custom', path: [name], message: 'is needed for a physical card' })
    }),
  output: z.looseObject({
    id: z.union([z.string(), z.number()]),
    status: z.string(),
    reveal: z.string().nullable().describe('Link that shows the card.'),
    referral: z.string().nullable().describe('Link to pass on.'),
  }),
  price: {
    cents: cents.digital,
    variants: [{ when: { type: 'physical' }, cents: cents.physical }],
  },
  example: {
    input: {
      roast: 'your commits are mostly apologies',
      github_username: 'octocat',
      type: 'digital',
    },
    cents: 100,
  },
  costUsd: ({ paid_usd }) => (typeof paid_usd === 'number' ? paid_usd : undefined),
  run: ({ input, http, purchase }) =>
    purchase(async (reference) => {
      const sent =
        input.type === 'physical' ? input : pick(input, 'roast', 'github_username', 'type', 'ref')
      const { body, paid } = await http.send({
        method: 'POST',
        path: '/api/send',
        body: sent,
        headers: { 'idempotency-key': reference },
        payUpToCents: cents[input.type],
      })
      requireUnfailed(body?.status)
      return {
        ...body,
        reveal: body?.reveal ?? null,
        referral: body?.referral ?? null,
        ...(paid === undefined ? {} : { paid_usd: paid.usd }),
      }
    }),
})
