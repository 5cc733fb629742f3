import { expect, test } from 'vitest'
import { type Action, z } from '#core/action.ts'
import { providers } from '../providers.ts'
import { issue } from './issued-id.ts'

test('an id that the following action would read as another one is not issued', () => {
  const schema = z.string().trim().min(1).max(9)
  expect(issue('run', schema, 'run_1')).toEqual({ kind: 'run', id: 'run_1' })
  for (const id of ['', ' run_1 ', 'run_123456', undefined as never])
    expect(() => issue('run', schema, id)).toThrow(
      expect.objectContaining({ code: 'upstream_error' }),
    )
})

/** An answer with this id. */
const answers: Record<string, (id: string) => object> = {
  'ns_assembler/create_project': (id) => ({ id }),
  'ns_assembler/upload': (media_id) => ({ media_id }),
  'ns_captcha/solve': () => ({ taskId: -1 }),
  'ns_email_b/domain-scan': (_id) => ({ item: { _id } }),
  'ns_email_b/email-search': (_id) => ({ item: { _id } }),
  'ns_email_b/email-verification': (_id) => ({ item: { _id } }),
  'ns_enrich/company-funders': (request_id) => ({ request_id, endpoint: 'company/funders' }),
  'ns_enrich/person-enrich': (request_id) => ({ request_id, endpoint: 'person/enrichment' }),
  'ns_enrich/person-interactions': (request_id) => ({
    request_id,
    endpoint: 'person/interactions',
  }),
  'ns_par/task': (run_id) => ({ run_id }),
  'ns_render_b/crawl': (id) => ({ id }),
  'ns_render_b/extract': (id) => ({ id }),
}

/**
 * Their vendors’ work can neither be ended nor told apart from a bought good, so an odd id is passed on: orders and
 * inboxes are there. Those of the gateway’s own machines and of the browsers are checked where they are opened.
 */
const checkedElsewhere = new Set([
  'ns_assembler/put_composition',
  'ns_browser/create_session',
  'ns_jewelry/purchase',
  'ns_mail/create_inbox',
  'ns_market/run',
  'ns_print/order',
  'ns_repo/repo-create',
  'ns_sandbox/sandbox-create',
  'ns_wine/purchase',
])

test('no launch is paid whose id its poll refuses', () => {
  const issuing = providers.flatMap(({ id, actions }) =>
    actions
      .filter(({ issues }) => issues !== undefined)
      .map((action: Action) => ({ name: `${id}/${action.name}`, action })),
  )
  const checked = issuing.filter(({ name }) => !checkedElsewhere.has(name))
  expect(checked.map(({ name }) => name).toSorted()).toEqual(Object.keys(answers))
  for (const { name, action } of checked)
    for (const id of ['', 'x'.repeat(999)])
      expect(() => action.issues?.(answers[name]?.(id), {}), `${name} ${id}`).toThrow(
        expect.objectContaining({ code: 'upstream_error' }),
      )
})
