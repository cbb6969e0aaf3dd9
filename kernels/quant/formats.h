#pragma once
// The list of element and block formats: one line each. Everything that handles all formats is
// generated from it. To add one: write its header, include it, name it. Thread: constants.

#include "kernels/quant/bf16.h"
#include "kernels/quant/f16.h"
#include "kernels/quant/f32.h"
#include "kernels/quant/iq4_nl.h"
#include "kernels/quant/iq4_xs.h"
#include "kernels/quant/q2_k.h"
#include "kernels/quant/q3_k.h"
#include "kernels/quant/q4_0.h"
#include "kernels/quant/q4_1.h"
#include "kernels/quant/q4_k.h"
#include "kernels/quant/q5_0.h"
#include "kernels/quant/q5_1.h"
#include "kernels/quant/q5_k.h"
#include "kernels/quant/q6_k.h"
#include "kernels/quant/q8_0.h"

#define VITRINE_FORMATS(X) \
    X(BlockF32)            \
    X(BlockF16)            \
    X(BlockBF16)           \
    X(BlockQ8_0)           \
    X(BlockQ4_0)           \
    X(BlockQ4_1)           \
    X(BlockQ5_0)           \
    X(BlockQ5_1)           \
    X(BlockQ2_K)           \
    X(BlockQ3_K)           \
    X(BlockQ4_K)           \
    X(BlockQ5_K)           \
    X(BlockQ6_K)           \
    X(BlockIQ4_NL)         \
    X(BlockIQ4_XS)
