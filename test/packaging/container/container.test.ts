// The container files, as far as they can be judged without a container runtime: container.nightly.test.ts runs their
// commands.

import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { DCLinter, ValidationSeverity, validate } from '#oracles/containers.ts'
import { programs } from '../../../src/command/doctor/programs.ts'
import { readText } from '../../tidy/sources.ts'
import { readStages } from './stages.ts'

const dockerfile = readText('Dockerfile')
const stages = readStages(dockerfile)

test('a strict linter finds nothing in the Dockerfile', () => {
  const severity = ValidationSeverity.ERROR
  expect(
    validate(dockerfile, {
      deprecatedMaintainer: severity,
      directiveCasing: severity,
      emptyContinuationLine: severity,
      instructionCasing: severity,
      instructionCmdMultiple: severity,
      instructionEntrypointMultiple: severity,
      instructionHealthcheckMultiple: severity,
      instructionJSONInSingleQuotes: severity,
      instructionWorkdirRelative: severity,
    }),
  ).toEqual([])
})

test('the compose files fit the schema of Compose, and a linter finds nothing in them', async () => {
  const linter = new DCLinter({
    // Our formatter writes double quotes.
    rules: { 'require-quotes-in-ports': [2, { quoteType: 'double' }] },
    quiet: false,
    debug: false,
    exclude: [],
  })
  for (const file of ['compose.yaml', 'compose.full.yaml', 'compose.replicas.yaml']) {
    const [{ messages = [] } = {}] = await linter.lintFiles([file], false)
    expect(
      messages.map(({ rule, message }: { rule: string; message: string }) => `${rule}: ${message}`),
      file,
    ).toEqual([])
  }
})

test('both variants run as an unprivileged user, report their health, and start without a shell', () => {
  for (const name of ['slim', 'full']) {
    const stage = stages.get(name)
    expect(stage?.user, name).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(stage?.healthcheck?.at(0), name).toBe('node')
    expect(stage?.entrypoint.slice(0, 2), name).toEqual(['tini', '--'])
  }
})

test('all stages have the same base image, of one major version of Node', () => {
  const bases = new Set(
    [...stages.values()].map(({ base }) => base).filter((base) => !stages.has(base)),
  )
  expect([...bases]).toEqual([expect.stringMatching(/^node:\d+-\w+-slim$/)])
})

test('Debian packages are installed without recommendations, and their lists are not kept', () => {
  const installing = [...stages.values()]
    .flatMap(({ steps }) => steps)
    .flatMap((step) =>
      step.kind === 'run' && step.command.includes('apt-get') ? [step.command] : [],
    )
  expect(installing.length).toBe(2)
  for (const command of installing) {
    expect(command).toContain('--yes --no-install-recommends')
    expect(command).toMatch(/rm -rf \/var\/lib\/apt\/lists\/\*$/)
  }
})

test('the full variant installs every program that doctor asks for', () => {
  const installed = stages.get('full')?.packages ?? []
  const asked = programs.flatMap(({ packages }) => packages.split(' '))
  expect(installed).toEqual(
    expect.arrayContaining([...asked, 'bubblewrap', 'chromium', 'chromium-headless-shell']),
  )
})

test('Compose gives the gateway a read-only root, no capabilities and no new privileges', () => {
  const { services } = parse(readText('compose.yaml'))
  expect(services.gateway).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    depends_on: { database: { condition: 'service_healthy' } },
    ports: [expect.stringMatching(/^127\.0\.0\.1:/)],
  })
  expect(services.gateway.volumes).toEqual(['data:/data', 'temporary:/tmp'])
  expect(services.gateway).not.toHaveProperty('privileged')
  expect(services.database).not.toHaveProperty('ports')
})
