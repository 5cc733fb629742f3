// How the command is typed where it runs. In a clone there is no package that npx could find.

/** Only the sources end in .ts. */
const isClone = import.meta.filename.endsWith('.ts')

export const commandName = isClone ? 'npm run tollway --' : 'npx tollway'
export const startCommand = isClone ? 'npm start' : 'npx tollway'
