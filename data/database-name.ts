/** The databases that hold promises; the file is `<name>.db` in the data directory. */
export const DATABASE_NAMES = ['cultpass', 'udahub'] as const;

export type DatabaseName = (typeof DATABASE_NAMES)[number];
