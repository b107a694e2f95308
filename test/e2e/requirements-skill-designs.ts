/** The clauses of the designs that skills come from. Part of `requirements.ts`. */
export const SKILL_DESIGN_REQUIREMENTS = {
  'SKD-10':
    'A pack in the spelling of the designs loads; each older spelling is a warning with its line and what to write today',
  'SKD-11': 'A quoted placeholder is bound all the same, and a BOOLEAN of a SQL fixture is true or false',
  'SKD-12': "skill migrate rewrites a pack in today's spelling and keeps its comments",
  'SKD-13':
    'validate names every fault of a pack with many, and what the pack works in spite of as a warning',
  'SKD-14': 'skill run --as takes customer and language from who signed in, whatever the input says',
  'SKD-15': 'A new pack is found by the words of its name',
  'SKD-16':
    'A pack that is copied into a folder or changed while the hub runs is picked up, and waiting runs keep theirs',
  'SKD-17': 'skill route takes facts, which the conditions of triggers look at',
  'SKD-20':
    'A review asks again about forgotten criteria, takes evidence as a list, and counts a missing weight as 1',
  'SKD-21': 'An output_schema that no result can fit is a fault of the pack',
  'SKD-22':
    'A generation or review that gave nothing usable is a run that failed, in exit code and figures, with its result',
  'SKD-30':
    'The figures of a skill come from its runs: accuracy, findings that operators did not take, repeat use, satisfaction',
  'SKD-31':
    'Target, baseline and expected accuracy are compared with the figures, and a skill below them is marked',
  'SKD-32':
    'What metrics, output_format and observability say is read: wrong values are faults, log and trace follow',
  'SKD-40':
    'ocean_debugging has the tables, APIs, steps, causes and critical actions of its design, on a real PostgreSQL',
  'SKD-41': 'A load that does not track goes to ocean_debugging unless its mode is another one',
  'SKD-50':
    'The trace of a composite is data: level, step, plan, input, output, confidence, time and cost, nested ones too',
  'SKD-51': 'skill graph --run draws what one run did',
  'SKD-52': 'Without a model a composite says what came of it',
  'SKD-53':
    'email_workflow runs complete without any setting, for a program of a customer too: its address book answers from the pack',
  'SKD-60':
    'A written procedure, or resolved tickets, become a draft of a tree that validates and runs, with its doubts as comments',
  'SKD-86':
    'Where there is a model it drafts the tree in the same form; rules do where it fails or its draft does not validate, and that is said',
  'SKD-87':
    'The hub loads packs without their test cases; validate and test read them, and name what is wrong with them',
  'SKD-42':
    'A message about an ocean load reaches ocean_debugging in a chat, which reads the load out of the words',
  'SKD-70':
    'An agent elsewhere whose card lists capabilities with endpoints, and a plain /tasks, is read and asked',
  'SKD-71':
    'Which agent elsewhere fits is told by what is asked, and not by the name of the place it is asked about',
  'SKD-85':
    'An agent elsewhere is found by what its skills mean, in other words and in the other language too',
  'SKD-89':
    'Where no agent elsewhere certainly fits, or several do, a model chooses among their cards; without one the words decide',
  'SKD-90': 'A length of time in hours or days is written as people say it, in the language of the text',
  'SKD-72':
    'By the prompts of its pack a tree asks a model which decision fits, which cause holds and which step is next, where it is in doubt',
  'SKD-73':
    'A word of the model is marked in the evidence, comes before no critical approval, and has what it advises approved',
  'SKD-74': 'A file of a pack that nothing reads is a fault',
  'SKD-80':
    'One request in plain words has the skills run that it needs, side by side or one after another, with one result',
  'SKD-81': 'Findings of one request that contradict each other are named, and no answer is made of them',
  'SKD-88':
    'Where findings of one message contradict each other, the chat says so, puts none of it to the customer, and tells the operator',
  'SKD-82':
    'Where no trigger matches a request the model chooses the skills, and none is run that is not certain to fit',
  'SKD-84':
    'Results that a skill keeps are shared by all processes until they expire, and the figures say how often they were found',
  'SKD-83': 'A request is handled so from the command line, over MCP and over A2A',
} as const;
