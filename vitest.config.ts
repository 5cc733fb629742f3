import { defineConfig } from 'vitest/config'

// `fast` is what `npm run check` runs; `slow` (processes killed, servers restarted, deadlines waited for) joins it in `npm test`.
const everything = [
  'src/**/*.test.ts',
  'reader/**/*.test.ts',
  'test/**/*.test.ts',
  'scripts/**/*.test.ts',
  'training/**/*.test.ts',
]
const slow = ['**/*.slow.test.ts']

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: { name: 'fast', include: everything, exclude: [...slow, '**/node_modules/**'] },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: slow,
          exclude: ['**/node_modules/**'],
          testTimeout: 240_000,
        },
      },
    ],
  },
})
