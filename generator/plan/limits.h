/* Every number by which it is decided how a kernel is written; COST.md beside it says why. It includes nothing, so that
   whoever decides can read it. */
#ifndef LIMITS_H
#define LIMITS_H

enum {
    /* What a text costs, in instructions. */
    COST_DIVISION = 5,
    COST_LONG_TEXT = 16000, /* beyond, text costs twice: it leaves the first-level cache for instructions */
    COST_WIDE = 4,          /* lanes of the widest instruction that counts once */
    COST_ITEM = 8,          /* numbers of an item of a loop */
    COST_ITEM_AROUND = 25,  /* of an item, beside its multiply-adds: loads, the loop, items that are not full */

    /* The search for frames. */
    SEARCH_BUDGET = 600000,    /* nodes traced: about a quarter of a second */
    SEARCH_COMMON_FRAMES = 16, /* up to so many bodies, each one's frame is tried for all */

    /* Straight text or loops. */
    LOOPS_PAIRS = 1200, /* beyond so many pairs of columns straight text is not tried, for it would be long */
    LOOPS_COLUMNS = 60, /* beyond so many columns neither, where M^-1 is needed */
    LARGE_PAIRS = 3000, /* beyond, masses stay where they are: moved to the root they would cost digits */

    /* Solving M X = B. */
    COLUMNS_SIDE_BY_SIDE = 8,
    COLUMNS_BY_ONE = 40,  /* above so many degrees of freedom, blocks of one column are tried for one state */
    COLUMNS_AT_ONCE = 24, /* up to so many, columns are solved for as soon as IDSVA has them: few are alive at a time */
    UNKNOWNS_OF_BASE = 6, /* more of them that hang from one body see a floating base as six accelerations */

    /* Limbs side by side, columns side by side. */
    LIMBS_SIDE_BY_SIDE = 8,
    WIDEST_NEEDED = 4, /* wider vectors pay as two of so many lanes */

    /* Statements. */
    NAMED_LENGTH = 24,     /* a longer expression gets a name */
    ORDER_WINDOW = 96,     /* definitions looked at for the next statement */
    ORDER_REGISTERS = 28,  /* of 32; some are for temporaries */
    FUNCTION_LENGTH = 500, /* statements: more make compilers slow */

    /* Constant outputs of lanes have a function of their own if more than one in so many is zero. */
    ZEROS_APART = 8
};

#endif
