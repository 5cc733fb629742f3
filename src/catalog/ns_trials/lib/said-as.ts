/** What callers say for the values of the filters. */
export const saidAs = {
  status: {
    RECRUITING: ['recruiting', 'open for enrol?lment', 'looking for participants'],
    COMPLETED: ['completed', 'finished', 'abgeschlossen\\p{L}*', 'terminé\\p{L}*'],
    NOT_YET_RECRUITING: ['not yet recruiting'],
    TERMINATED: ['terminated', 'stopped early'],
  },
} as const
