// SKILL.md: how an agent uses a gateway, for agents that have this repository or a copy of the file. A gateway serves a
// skill of its own by MCP, with the services that it can call.
import type { Catalog } from '#core/catalog.ts'
import { anchorOf } from '#surfaces/doors/guide.ts'
import { skillDescription, skillName, skillSteps } from '#surfaces/mcp/contents/skill.ts'
import { ownNamespace } from '#test/own-actions.ts'

type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => string

export function skillPage(catalog: Catalog, table: Table): string {
  const services = catalog.services.map(({ provider }) => {
    const anchor = anchorOf(`${provider.id}: ${provider.title}`)
    return `- [${provider.title}](docs/reference/catalog.md#${anchor}): \`${provider.id}\``
  })
  return `---
name: ${skillName}
description: ${skillDescription}
---

# How to use a Tollway gateway

## Reach one

You need the address of a gateway, and an API key of an account with credit. \`POST /api/v1/agents\` opens an account and answers with its key.

- [MCP](docs/use/mcp.md): connect to \`/mcp\` of the gateway with the header \`Authorization: Bearer KEY\`. A client that starts programs runs \`npx @tollway/command mcp\` with \`TOLLWAY_URL\` and \`TOLLWAY_KEY\` in its environment.
- [A shell](docs/use/command.md): \`npx @tollway/command login ADDRESS\` stores the key.
- [HTTP](docs/use/README.md): send each call with \`Authorization: Bearer KEY\`.

## Find, price and run

${skillSteps(ownNamespace)}

These are the names of MCP tools. The same elsewhere:

${table(
  ['Tool', 'Shell', 'HTTP'],
  [
    ['`discover`', '`tollway discover WORDS`', `\`POST /api/run/${ownNamespace}/discover\``],
    ['`describe`', '`tollway show ACTION`', '`GET /api/run/{service}/{action}`'],
    ['`quote`', '`tollway quote ACTION`', '`POST /api/run/{service}/{action}?quote=true`'],
    ['`run`', '`tollway run ACTION`', '`POST /api/run/{service}/{action}`'],
    ['`result`', '`tollway job ID`', `\`POST /api/run/${ownNamespace}/result\``],
    [
      '`consult`',
      `\`tollway run ${ownNamespace}/consult\``,
      `\`POST /api/run/${ownNamespace}/consult\``,
    ],
  ],
)}

## Services

A gateway sells those for which its operator has what they need. \`discover\` says what can run.

${services.join('\n')}
`
}
