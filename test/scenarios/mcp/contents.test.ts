// Resources, prompts and the skill of the MCP server: made of the catalog, and usable on a gateway without any vendor's
// key.
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { z } from '#core/action.ts'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { connectMcp, revisions } from '#test/mcp/client.ts'

const gateway = shareGatewayOfWorker()

const textOf = ({ contents }: { contents: readonly object[] }) =>
  (contents[0] as { text: string }).text

describe.each(revisions)('at revision %s', (revision) => {
  const connect = (key?: string) =>
    connectMcp(gateway().url, { revision, ...(key !== undefined && { key }) })

  test('every listed resource can be read, and an action by its name', async () => {
    const client = await connect()
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining(['tollway://guide/use/mcp.md', 'skill://tollway/SKILL.md']),
    )
    for (const { uri } of resources)
      expect(textOf(await client.readResource({ uri })), uri).toMatch(/\S/)
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates).toMatchObject([
      { uriTemplate: 'tollway://actions/{service}/{action}' },
    ])
    const action = await client.readResource({ uri: 'tollway://actions/test/echo' })
    expect(JSON.parse(textOf(action))).toMatchObject({ service: 'test', action: 'echo' })
  })

  test('what is not there is an error of the request', async () => {
    const client = await connect()
    for (const uri of ['tollway://actions/test/nothing', 'tollway://guide/../package.json'])
      await expect(client.readResource({ uri })).rejects.toMatchObject({
        code: expect.any(Number),
      })
    await expect(client.getPrompt({ name: 'nothing' })).rejects.toThrow(/prompts\/list/)
    await expect(
      client.getPrompt({ name: 'read-page', arguments: { urls: 'no address' } }),
    ).rejects.toThrow(/not a web address/)
  })

  test('six prompts are ready, and the call of each can be quoted', async () => {
    const account = await gateway().account(100)
    const client = await connect(account.key)
    const { prompts } = await client.listPrompts()
    expect(prompts).toHaveLength(6)
    for (const { name, description } of prompts) {
      expect(description, name).toMatch(/Price: /)
      const { messages } = await client.getPrompt({ name })
      const [message] = messages as { content: { text: string } }[]
      const call = JSON.parse(/^\{.*^\}/ms.exec(message?.content.text ?? '')?.[0] ?? '')
      const quoted = await client.callTool({ name: 'quote', arguments: call })
      expect(quoted, name).toMatchObject({ structuredContent: { ok: true } })
    }
    const { messages } = await client.getPrompt({
      name: 'find-papers',
      arguments: { search: 'tide tables' },
    })
    expect(JSON.stringify(messages)).toContain('tide tables')
  })

  test('the skill is listed with the digest of each file, and names only what can be run', async () => {
    const client = await connect()
    const { skills } = await client.request(
      { method: 'skills/list', params: {} },
      z.looseObject({ skills: z.array(skillSchema) }),
    )
    const [skill] = skills
    expect(skill?.frontmatter.name).toBe('tollway')
    const headings: string[] = []
    for (const { uri, digest, size } of skill?.resources ?? []) {
      const text = textOf(await client.readResource({ uri }))
      expect(Buffer.byteLength(text)).toBe(size)
      expect(`sha256:${createHash('sha256').update(text).digest('hex')}`).toBe(digest)
      for (const [, id = ''] of text.matchAll(/^## (\S+\/\S+)$/gm)) headings.push(id)
    }
    const { actions } = (await (await fetch(`${gateway().url}/api/run`)).json()) as {
      actions: { service: string; action: string; mode: string }[]
    }
    const available = actions.filter(({ mode }) => mode !== 'unavailable')
    expect(headings.toSorted()).toEqual(
      available.map(({ service, action }) => `${service}/${action}`).toSorted(),
    )
    const got = await client.request(
      { method: 'skills/get', params: { uri: skill?.uri } },
      z.looseObject({ skill: skillSchema }),
    )
    expect(got.skill).toEqual(skill)
  })
})

const skillSchema = z.looseObject({
  uri: z.string(),
  frontmatter: z.looseObject({ name: z.string() }),
  resources: z.array(z.object({ uri: z.string(), digest: z.string(), size: z.int() })),
})
