/* A Cortex-M4 from reset to main, with its floating-point unit on; main's status goes to the debugger (semihosting). */
#include <stdint.h>
#include <stdlib.h>

extern uint32_t stack_top, data_load, data_start, data_end, bss_start, bss_end;
extern int main(void);
extern void initialise_monitor_handles(void);

void _init(void)
{
}

void _fini(void)
{
}

static void stop(void)
{
    for (;;) {
    }
}

void reset(void)
{
    *(volatile uint32_t *)0xE000ED88 |= 0xFu << 20; /* CPACR: full access to the floating-point unit */
    __asm volatile("dsb; isb");
    const uint32_t *from = &data_load;
    for (uint32_t *to = &data_start; to < &data_end; to++) {
        *to = *from++;
    }
    for (uint32_t *to = &bss_start; to < &bss_end; to++) {
        *to = 0;
    }
    initialise_monitor_handles();
    exit(main());
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))&stack_top, reset, stop, stop, stop, stop, stop,
};
