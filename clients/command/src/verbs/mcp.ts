import { runStdio } from '../mcp-relay.ts'
import { defineVerb } from '../verb.ts'

export const mcp = defineVerb({
  name: 'mcp',
  summary: 'Speak MCP on standard input and output, for clients that start programs.',
  details:
    'Each message is relayed to `/mcp` of the gateway, here or elsewhere. The relay starts no gateway: one that ended with its MCP client would take its jobs and sessions along. Start one with `npx tollway`; the relay may run before it. A client is configured with the command `npx` and the arguments `@tollway/command mcp`; `TOLLWAY_URL` and `TOLLWAY_KEY` in its environment name the gateway and the key.',
  options: {
    tool: { about: 'An action that becomes a tool of its own.', value: 'ACTION', many: true },
  },
  examples: ['mcp --tool tollway/onesearch --tool ns_scholar/works'],
  async run({ options }, { connection: { baseUrl: url, currentKey }, input, output }) {
    await runStdio({ url, currentKey, tools: options.tool, input: input.stream, output })
  },
})
