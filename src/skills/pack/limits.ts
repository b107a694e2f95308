/** What a pack may hold. More than any written by people; less than what stops a program. */
export const MAX_FILE_BYTES = 512_000;
export const MAX_FILES = 1_000;
export const MAX_TOTAL_BYTES = 8_000_000;
export const MAX_FOLDERS_DEEP = 16;
