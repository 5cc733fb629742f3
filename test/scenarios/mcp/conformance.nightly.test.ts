// The official conformance suite of the protocol, at both revisions, over the scenarios that apply to a server whose
// tools are its own. The others call diagnostic tools, resources and prompts that only a test server has.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { mcpConformance } from '#oracles/programs.ts'
import { shareGatewayOfWorker } from '#test/harness.ts'

const gateway = shareGatewayOfWorker()
/** The suite is one large file, which each of its runs would compile again. */
const compiledFolder = path.join(import.meta.dirname, '../../../.cache/compiled/conformance')

const both = ['tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection'] as const
const scenarios = [
  {
    title: 'revision 2025-11-25',
    revision: '2025-11-25',
    names: ['server-initialize', 'ping', ...both],
  },
  {
    title: 'revision 2026-07-28',
    revision: '2026-07-28',
    names: [
      ...['server-stateless', 'http-header-validation', 'caching', 'sep-2164-resource-not-found'],
      ...both,
    ],
  },
  {
    title: 'extension Skills',
    revision: undefined,
    names: ['sep-2640-skills-enumeration', 'sep-2640-skills-manifest'],
  },
]

/** Checks of server-stateless that call a diagnostic tool of the suite. */
const untestable = [
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
]

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

async function run(scenario: string, revision: string | undefined): Promise<readonly Check[]> {
  const words = ['server', '--url', `${gateway().url}/mcp`, '--scenario', scenario, '--verbose']
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [mcpConformance, ...words, ...(revision === undefined ? [] : ['--spec-version', revision])],
    { maxBuffer: 50_000_000, env: { ...process.env, NODE_COMPILE_CACHE: compiledFolder } },
    // It exits with 1 for a failed check; the checks themselves are read below.
  ).catch((failed: { stdout: string }) => failed)
  return JSON.parse(/^\[\n.*?^\]$/ms.exec(stdout)?.[0] ?? '[]')
}

describe.each(scenarios)('$title', ({ revision, names }) => {
  test.each(names)('%s', async (name) => {
    const checks = await run(name, revision)
    const notTestable = checks.filter(({ id }) => untestable.includes(id))
    expect(notTestable.map(({ errorMessage }) => errorMessage)).toEqual(
      notTestable.map(() => expect.stringMatching(/^Not testable: .* diagnostic tool/)),
    )
    const failed = checks.filter(
      ({ id, status }) =>
        (status === 'FAILURE' || status === 'WARNING') && !untestable.includes(id),
    )
    expect(failed).toEqual([])
    expect(checks.some(({ status }) => status === 'SUCCESS')).toBe(true)
  })
})
