// The verbs of `tollway sell`.
import { defineVerb, type Verb } from '@tollway/command'

export const sellVerbs: readonly Verb[] = [
  defineVerb({
    name: 'sell',
    namesOtherApis: true,
    summary:
      'Sell an API or an MCP server of your own: each operation, each tool, or one endpoint as it is.',
    details:
      'It shows what it found as a table, what it leaves out and why, and sells nothing before you confirm. Run again, it shows what would change. The gateway must run: `npx tollway` starts it. Price rules are a list in JSON; docs/operate/selling.md explains them.',
    operands: {
      address: {
        about:
          'Of a description in OpenAPI or Swagger, of an MCP server, of an endpoint, or a file.',
        kind: 'optional',
        completes: 'file',
      },
      command: {
        about:
          'Starts an MCP server in a box: `npx some-server`, or `node server.js` in a --folder.',
        kind: 'command',
      },
    },
    options: {
      price: { about: 'Cents for each call, where no rule says otherwise.', value: 'CENTS' },
      rules: { about: 'Price rules: the first one that matches applies.', value: 'FILE' },
      name: { about: 'The name of the service. Default: from the address.', value: 'NAME' },
      key: {
        about: 'Your key at the API. It is sealed. `tollway sell key` asks for it instead.',
        value: 'KEY',
      },
      auth: {
        about:
          'Where the key goes: bearer, basic, header:NAME, query:NAME, cookie:NAME; env:NAME for a COMMAND.',
        value: 'PLACE',
      },
      server: { about: 'The base address, in place of that of the description.', value: 'URL' },
      endpoint: { about: 'Sell the address as it is, and do not look for a description.' },
      mcp: { about: 'The address is an MCP server, although it does not look like one.' },
      folder: {
        about: 'A folder that the COMMAND may read, or with :rw at its end also change.',
        value: 'PATH',
        many: true,
      },
      env: {
        about: 'A variable of the COMMAND, without a secret.',
        value: 'NAME=VALUE',
        many: true,
      },
      network: { about: 'The COMMAND reaches the public network. Default: no network.' },
      private: { about: 'The API is in your own network, or on this machine.' },
      yes: { about: 'Sell without asking.' },
    },
    examples: [
      'sell https://api.example.com/openapi.json --price 1',
      'sell https://example.com/any/path --price 0.5 --name mine',
      'sell http://127.0.0.1:3000/openapi.json --rules prices.json --private --yes',
      'sell https://mcp.example.com/mcp --price 1',
      'sell --price 1 --folder ./notes -- npx @modelcontextprotocol/server-filesystem ./notes',
    ],
    async run({ operands, options }, surroundings) {
      const { runSell } = await import('./sell.ts')
      return await runSell(operands, options, surroundings)
    },
  }),
  defineVerb({
    name: 'sell list',
    summary: 'List what you sell beside the catalog.',
    async run(_, surroundings) {
      const { runSellList } = await import('./sell.ts')
      await runSellList(surroundings)
    },
  }),
  defineVerb({
    name: 'sell key',
    summary: 'Give the gateway your key at an API. It is tested, sealed, and never shown again.',
    operands: { name: { about: 'Of the service.' } },
    options: { 'no-test': { about: 'Store it without asking the API whether it accepts it.' } },
    examples: ['sell key weather', 'sell key weather < key.txt'],
    async run({ operands, options }, surroundings) {
      const { runSellKey } = await import('./sell.ts')
      await runSellKey(operands.name, !options['no-test'], surroundings)
    },
  }),
  defineVerb({
    name: 'sell export',
    summary:
      'Print what is sold under a name as one file, without keys. `sell FILE` sells it again.',
    operands: { name: { about: 'Of the service.' } },
    examples: ['sell export weather > weather.json'],
    async run({ operands }, surroundings) {
      const { runSellExport } = await import('./sell.ts')
      await runSellExport(operands.name, surroundings)
    },
  }),
  defineVerb({
    name: 'sell remove',
    summary: 'Stop selling an API. Its callers read that you stopped.',
    operands: { name: { about: 'Of the service.' } },
    options: {
      forget: { about: 'Forget it as if it had never been sold.' },
      yes: { about: 'Accepted as `sell` accepts it: this verb asks nothing.' },
    },
    async run({ operands, options }, surroundings) {
      const { runSellRemove } = await import('./sell.ts')
      await runSellRemove(operands.name, options.forget, surroundings)
    },
  }),
]
