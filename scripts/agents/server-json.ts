// server.json: the entry of the command in registries of MCP servers. Source: the registry's schema of 2025-12-11.
import commandJson from '../../clients/command/package.json' with { type: 'json' }

export function serverJson(): string {
  const { mcpName, name, version } = commandJson
  const server = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: 'Tollway',
    description: 'Find, price and run the paid actions of a Tollway gateway.',
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'mcp' }],
        environmentVariables: [
          {
            name: 'TOLLWAY_URL',
            description: 'Address of the gateway.',
            format: 'string',
            default: 'http://127.0.0.1:4020',
          },
          {
            name: 'TOLLWAY_KEY',
            description: 'API key. Without one, only free tools work.',
            format: 'string',
            isSecret: true,
          },
        ],
      },
    ],
  }
  return `${JSON.stringify(server, null, 2)}\n`
}
