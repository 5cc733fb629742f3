import { defineAction, z } from '#core/action.ts'
import { normalizeUrl } from '#core/web-address.ts'
import { requireUnfailed } from '../lib/failed-work.ts'

const pagesMax = 10
const centsPerPage = 20

/** `admitAddress` throws for an address that is not public, which the carrier could not read. */
export const createSend = (admitAddress: (address: string) => void) =>
  defineAction('send', {
    summary: 'Send a PDF as a fax to a telephone number.',
    notes:
      'The file_url must be public, since the carrier fetches the PDF itself. At most 10 pages, 20¢ each. max_cost_cents is required and says how many pages you pay for: it is held, the pages that were sent are charged, and a longer PDF is refused before anything is paid. A fax cannot be taken back. To mail paper use ns_print/order.',
    synonyms: ['fax', 'send fax', 'facsimile', 'fax a document', 'fax number'],
    questions: [
      'can you fax this form to my doctor?',
      'send this PDF to fax number +1 212 555 0100',
      'how do I fax without a fax machine?',
    ],
    timeoutMs: 180_000,
    irrevocable: true,
    errors: ['bad_url'],
    input: z.strictObject({
      to: z
        .string()
        .trim()
        .transform((text) => text.replaceAll(/[\s().-]/g, ''))
        .pipe(
          z
            .string()
            .regex(
              /^\+[1-9]\d{6,14}$/,
              'must be a telephone number with its country code, as in +12125550100',
            ),
        )
        .describe('Fax number with country code: +12125550100.'),
      file_url: z.string().trim().min(1).max(2_048).describe('Public address of the PDF.'),
    }),
    check: ({ file_url }) => admitAddress(normalizeUrl(file_url)),
    output: z.looseObject({
      fax_id: z.string().nullable(),
      status: z.string().nullable(),
      pages: z.int().min(0).max(pagesMax),
    }),
    price: {
      upToCents: 'maxCost',
      fromCents: centsPerPage,
      atMostCents: pagesMax * centsPerPage,
      basis: `${centsPerPage}¢ per page`,
      settle: ({ output }) => output.pages * centsPerPage,
    },
    example: {
      input: { to: '+12125550100', file_url: 'https://example.com/form.pdf' },
      cents: 200,
    },
    run: ({ input, http, maxCents, purchase }) =>
      purchase(async (reference) => {
        const { body, paid } = await http.send({
          method: 'POST',
          path: '/v1/fax',
          body: { to: input.to, file_url: normalizeUrl(input.file_url) },
          headers: { 'idempotency-key': reference },
          payUpToCents: maxCents,
        })
        requireUnfailed(body?.status)
        const pages = body?.pages ?? Math.ceil(((paid?.usd ?? 0) * 100) / centsPerPage)
        return {
          ...body,
          fax_id: body?.fax_id ?? body?.id ?? null,
          status: body?.status ?? null,
          pages,
        }
      }),
  })
