/** Everything the chat says by itself. */
export interface Texts {
  readonly title: string;
  readonly skip: string;
  readonly close: string;
  readonly closeChat: string;
  readonly signOut: string;
  readonly signedInAs: (name: string) => string;
  readonly conversations: string;
  readonly newConversation: string;
  readonly noConversations: string;
  readonly untitled: string;
  readonly withPerson: string;
  readonly listFailed: string;
  readonly greeting: (name: string) => string;
  readonly greetingText: string;
  readonly suggestionsLabel: string;
  readonly suggestions: readonly string[];
  readonly loading: string;
  readonly missing: string;
  readonly loadFailed: string;
  readonly tryAgain: string;
  readonly log: string;
  readonly you: string;
  readonly assistant: string;
  readonly team: string;
  readonly sending: string;
  readonly notSent: string;
  readonly problem: string;
  readonly sources: string;
  readonly openSource: (title: string) => string;
  readonly articleUpdated: (date: string) => string;
  readonly articleFailed: string;
  readonly articleMissing: string;
  readonly newMessages: string;
  readonly composer: string;
  readonly placeholder: string;
  readonly placeholderAnswer: string;
  readonly placeholderPerson: string;
  readonly send: string;
  readonly tooLong: (over: number) => string;
  readonly left: (count: number) => string;
  readonly yes: string;
  readonly no: string;
  readonly confirmTitle: string;
  /** On what waits for the team. */
  readonly withdraw: string;
  readonly approvalTitle: string;
  readonly approvalText: string;
  readonly cardStatus: {
    readonly confirmed: string;
    readonly declined: string;
    readonly withdrawn: string;
    readonly expired: string;
    readonly replaced: string;
    readonly closed: string;
    readonly approved: string;
    readonly refused: string;
  };
  readonly waitingTitle: string;
  readonly waitingText: string;
  readonly hours: {
    readonly open: (closes: string, place: string) => string;
    readonly today: (opens: string, place: string) => string;
    readonly later: (day: string, opens: string, place: string) => string;
  };
  readonly personNote: string;
  readonly operatorTitle: (name: string) => string;
  readonly operatorText: string;
  readonly handedBack: string;
  readonly helpful: string;
  readonly helpfulYes: string;
  readonly helpfulNo: string;
  readonly whatMissed: string;
  readonly sendComment: string;
  readonly skipComment: string;
  readonly thanks: string;
  readonly lineWaiting: string;
  readonly lineOffline: string;
  readonly lineReplaced: string;
  readonly lineBack: string;
  readonly disclaimer: string;
  readonly activity: {
    readonly start: string;
    readonly triage: string;
    readonly resume: string;
    readonly other: string;
    readonly agents: Readonly<Record<string, string>>;
  };
  readonly signIn: SignInTexts;
  readonly errors: Readonly<Record<string, string>>;
}

export interface SignInTexts {
  readonly title: string;
  readonly text: string;
  readonly expiredTitle: string;
  readonly expiredText: string;
  readonly demoTitle: string;
  readonly demoText: string;
  readonly showAll: (count: number) => string;
  readonly otherAddress: string;
  readonly email: string;
  readonly emailInvalid: string;
  readonly continue: string;
  readonly sendCode: string;
  readonly code: string;
  readonly codeSent: (email: string) => string;
  readonly codeInvalid: string;
  readonly signIn: string;
  readonly newCode: string;
  readonly codeAgain: string;
  /** How long to wait before the next try. */
  readonly wait: (seconds: number) => string;
  readonly otherEmail: string;
  readonly waiting: string;
}
